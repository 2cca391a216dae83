/** Generated from the API; the tests write it with UPDATE_GENERATED=1. */

export interface paths {
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document as a page */
        get: operations["getDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/style.css": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The style of that page */
        get: operations["getDocsStyle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process runs; it looks at nothing outside */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What this process measures
         * @description In the text format of Prometheus. Each process tells of itself alone; scrape every one.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process can do its work
         * @description Without the transport it is `degraded` and works: events are accepted and delivered all the same.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List API keys, the newest first */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Make an API key
         * @description A key that is limited to applications makes only keys within its limits.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an API key
         * @description It is refused at once by the process that deleted it, and within 5 s by others.
         */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the key that asks */
        get: operations["getCurrentApiKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/applications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List applications, by id */
        get: operations["listApplications"];
        put?: never;
        /** Create an application */
        post: operations["createApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/applications/{application}/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List an application's endpoints, its webhook first */
        get: operations["listEndpoints"];
        put?: never;
        /** Add an endpoint to an application */
        post: operations["createEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/applications/{application}/erasure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read how far the erasure of a deleted application is */
        get: operations["getErasure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/applications/{application}/events/{event}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an event with its deliveries and its body */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/applications/{application}/events/{event}/body": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an event's body: the exact bytes that every attempt sends */
        get: operations["getEventBody"];
        put?: never;
        post?: never;
        /**
         * Erase an event's body
         * @description What waits to be sent of it is canceled. That the event was, and how its deliveries went, stays.
         */
        delete: operations["eraseEventBody"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/applications/{application}/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the application's webhook */
        get: operations["getWebhook"];
        /**
         * Register the application's one webhook
         * @description Overwrites the one there is, restores it and forgets its failures.
         */
        put: operations["putWebhook"];
        post?: never;
        /**
         * Revoke the application's webhook
         * @description What waits for it is canceled.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/applications/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an application */
        get: operations["getApplication"];
        /**
         * Create an application, or make it what the body says
         * @description What the body leaves out returns to its default, but for attributes and the secret, which are kept.
         */
        put: operations["putApplication"];
        post?: never;
        /**
         * Delete an application
         * @description Revokes its endpoints and cancels what waits. Its events and deliveries are read as before until retention, or with `erase=true` erased in the background. Its id is not given again.
         */
        delete: operations["deleteApplication"];
        options?: never;
        head?: never;
        /**
         * Change an application
         * @description A JSON Merge Patch: what is absent stays, null in `settings` returns to the contract's default.
         */
        patch: operations["patchApplication"];
        trace?: never;
    };
    "/v1/applications/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set another secret of an application
         * @description It signs from the next attempt on, or from `activateAt` on. A rotation that has not come is replaced.
         */
        post: operations["rotateApplicationSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the attempts of all deliveries, as they are written
         * @description In the order in which they were written, none missed (but one whose write took over 30 s to commit) and none twice, under whatever filters. With `wait` an answer comes as soon as there is an attempt, or after so many seconds, at most 30, with an empty list; it may be empty before that, where much was looked at in vain. An attempt is here within a second of its end, mostly. Too many waiting requests are refused with 503.
         */
        get: operations["followAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List who did what, the newest first */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contracts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the contracts */
        get: operations["listContracts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contracts/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a contract */
        get: operations["getContract"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List deliveries whose attempts are used up, the last ended first */
        get: operations["listDeadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count dead letters by endpoint and error */
        get: operations["groupDeadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver many dead letters
         * @description The set is fixed at acceptance and queued in the background, the oldest first, each delivery once. With `"dryRun": true` it is only counted. At least one filter is needed.
         */
        post: operations["redeliverDeadLetters"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List deliveries, the newest first */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a delivery */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deliveries/{id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a delivery's attempts, in the order in which they ended */
        get: operations["listAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deliveries/{id}/attempts/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an attempt: its request and its response as they were
         * @description Credentials are masked in both, also where the receiver repeated them.
         */
        get: operations["getAttempt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deliveries/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a delivery that waits
         * @description One that was delivered before is `delivered` again, any other `canceled`.
         */
        post: operations["cancelDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Owe a delivery now
         * @description A pending one in its cycle, any other in a new one. A disabled endpoint is sent to all the same.
         */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an endpoint */
        get: operations["getEndpoint"];
        put?: never;
        post?: never;
        /**
         * Revoke an endpoint
         * @description What waits for it is canceled. It is listed only with `state=revoked`.
         */
        delete: operations["deleteEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change an endpoint
         * @description A JSON Merge Patch: what is absent stays, a null credential is removed. Another URL neither enables the endpoint nor forgets its failures.
         */
        patch: operations["patchEndpoint"];
        trace?: never;
    };
    "/v1/endpoints/{id}/cancel-pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel everything that waits for an endpoint */
        post: operations["cancelPending"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/endpoints/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable an endpoint
         * @description New events become `suppressed`; what is queued goes on.
         */
        post: operations["disableEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/endpoints/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable an endpoint
         * @description Its failures are forgotten. What it missed is counted and can be replayed; nothing is sent by itself.
         */
        post: operations["enableEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/endpoints/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause an endpoint
         * @description What waits and what comes is kept pending, and no attempt is spent, until it is resumed.
         */
        post: operations["pauseEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/endpoints/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send again what one endpoint had in a time
         * @description By the time at which events were accepted. As for dead letters: in the background, each delivery once, `dryRun`.
         */
        post: operations["replayEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/endpoints/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume an endpoint
         * @description What fell due meanwhile is owed now, the longest overdue first.
         */
        post: operations["resumeEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue other credentials of an endpoint
         * @description Where the contract generates them. They are sent from the next attempt on, or from `activateAt` on.
         */
        post: operations["rotateEndpointSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/endpoints/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test delivery to an endpoint
         * @description It changes nothing.
         */
        post: operations["verifyEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List events, the newest first */
        get: operations["listEvents"];
        put?: never;
        /**
         * Publish an event
         * @description Answered once the event and its deliveries are durable. The same `id` with the same type and data is a duplicate, with others a conflict. After a 503, or no answer, publish the same again: under its own id nothing is doubled.
         *
         *     With `dryRun=true` it is judged, built and addressed in the same way, and nothing of it is kept.
         */
        post: operations["publishEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish up to a thousand events
         * @description A bad one does not spoil the others; pointers of its refusal are relative to the event.
         */
        post: operations["publishBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rejections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the publishes that were refused lately
         * @description The newest first, over HTTP and from Kafka. It is there to find faults by, not for the record: the last 100,000 of 7 days, and a sample in a flood. Answers that ask to try again later are not rejections.
         */
        get: operations["listRejections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/replays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List replays, the newest first */
        get: operations["listReplays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/replays/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read how far a replay is */
        get: operations["getReplay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/replays/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a replay
         * @description What it queued already is sent.
         */
        post: operations["cancelReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count what waits, what failed and what is disabled
         * @description With `by=endpoint` the endpoints that stand out, by `order` and over `window`: the most failed attempts, the longest owed delivery, or the most attempts first.
         */
        get: operations["readStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @example {
         *       "id": "251604938752301",
         *       "name": "shop",
         *       "role": "producer",
         *       "applications": [
         *         "acme"
         *       ],
         *       "rateLimitPerSecond": null,
         *       "createdAt": "2025-01-31T12:00:00.000Z",
         *       "expiresAt": null
         *     }
         */
        ApiKey: {
            /** @description `bootstrap` for that of `ADMIN_KEY`. */
            id: string;
            name: string;
            /** @enum {string} */
            role: "producer" | "manager" | "operator" | "admin";
            /** @description The only ones it covers; null for all. */
            applications: string[] | null;
            /** @description Its own limit; null where it has that of the process it calls, or none. */
            rateLimitPerSecond: number | null;
            createdAt: string | null;
            /** @description When it stops working by itself; null for never. */
            expiresAt: string | null;
        };
        /**
         * @example {
         *       "id": "acme",
         *       "name": "Acme Ltda",
         *       "contract": "tf-fiscal",
         *       "environment": "production",
         *       "attributes": {},
         *       "settings": {
         *         "timeout": "5s"
         *       },
         *       "secret": {
         *         "set": true,
         *         "nextActivatesAt": null
         *       },
         *       "createdAt": "2025-01-31T12:00:00.000Z",
         *       "updatedAt": "2025-01-31T12:00:00.000Z"
         *     }
         */
        Application: {
            id: string;
            name: string;
            contract: string;
            environment: string;
            /** @description As the contract asks for them; fixed once set. */
            attributes: {
                [key: string]: unknown;
            };
            /** @description What overrides the contract's defaults, and only that. */
            settings: {
                /** @description Waits after the 1st, 2nd … failure, 1 to 20 of them; attempts = length + 1. */
                retryWaits?: string[];
                /**
                 * @description From the request being sent to the response headers; 100ms to 15s.
                 * @example 15s
                 */
                timeout?: string;
                /**
                 * @description The first attempt is owed this long after occurredAt; at most 1d.
                 * @example 15s
                 */
                firstAttemptDelay?: string;
                /** @description Consecutive failures that disable an endpoint; 0 turns the breaker off. */
                breakerThreshold?: number;
                /** @description Whether a response's Retry-After may lengthen the wait. */
                respectRetryAfter?: boolean;
                /**
                 * @description The longest Retry-After that is honoured; at most 1d.
                 * @example 15s
                 */
                retryAfterCap?: string;
                /** @description Simultaneous attempts to one endpoint from one worker; 1 to 512. */
                concurrencyPerWorker?: number;
                /** @description Whether receivers get `traceparent` (and `tracestate`) beside the contract's headers: of the attempt where traces are exported, else as the publisher sent it. */
                sendTraceparent?: boolean;
            };
            /** @description Null where the contract has no secret of the application. */
            secret: {
                /** @constant */
                set: true;
                /** @description When a rotation that was set takes effect, or took it. */
                nextActivatesAt: string | null;
            } | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /**
         * @example {
         *       "application": "acme",
         *       "state": "running",
         *       "erased": {
         *         "events": 0,
         *         "deliveries": 1500,
         *         "attempts": 1612
         *       },
         *       "failure": null,
         *       "requestedAt": "2025-01-31T12:00:00.000Z",
         *       "finishedAt": null
         *     }
         */
        ApplicationErasure: {
            application: string;
            /** @enum {string} */
            state: "running" | "done";
            erased: {
                events: number;
                deliveries: number;
                attempts: number;
            };
            /** @description Why its last step failed, while that is tried again. */
            failure: string | null;
            /** Format: date-time */
            requestedAt: string;
            finishedAt: string | null;
        };
        /**
         * @example {
         *       "number": 1,
         *       "cycle": 1,
         *       "trigger": "first",
         *       "startedAt": "2025-01-31T12:00:00.412Z",
         *       "durationMs": 87,
         *       "url": "https://example.com/webhooks",
         *       "remoteAddress": "203.0.113.7",
         *       "outcome": "http_5xx",
         *       "httpStatus": 503,
         *       "error": null,
         *       "responseSummary": "upstream connect error",
         *       "retryAfterSeconds": null,
         *       "nextAttemptAt": "2025-01-31T12:01:00.499Z",
         *       "superseded": false
         *     }
         */
        Attempt: {
            number: number;
            cycle: number;
            /** @enum {string} */
            trigger: "first" | "retry" | "redeliver" | "replay";
            /** Format: date-time */
            startedAt: string;
            durationMs: number;
            url: string;
            remoteAddress: string | null;
            /** @enum {string} */
            outcome: "success" | "http_3xx" | "http_auth" | "http_429" | "http_4xx" | "http_5xx" | "timeout" | "dns" | "connect" | "tls" | "reset" | "protocol" | "address_forbidden" | "internal";
            httpStatus: number | null;
            /** @description Null exactly when a response came. */
            error: {
                /** @description Stable: `CONNECT_REFUSED`, `TIMEOUT_HEADERS`, … */
                code: string;
                message: string;
            } | null;
            /** @description The beginning of what was answered. */
            responseSummary: string;
            retryAfterSeconds: number | null;
            nextAttemptAt: string | null;
            /** @description Whether its result came too late to count: it is logged, and had no effect. */
            superseded: boolean;
        };
        /**
         * @example {
         *       "id": "251604938752001",
         *       "at": "2025-01-31T12:00:00.412Z",
         *       "actor": {
         *         "key": "251604938700001",
         *         "name": "maria"
         *       },
         *       "action": "endpoint.updated",
         *       "resource": {
         *         "kind": "endpoint",
         *         "id": "251604938710002"
         *       },
         *       "application": "acme",
         *       "requestId": "5f0c1d2e3a4b-1f",
         *       "changes": {
         *         "url": {
         *           "from": "https://old.example.com/webhooks",
         *           "to": "https://example.com/webhooks"
         *         },
         *         "credentials.token": {
         *           "to": "set"
         *         }
         *       }
         *     }
         */
        AuditEntry: {
            id: string;
            /** Format: date-time */
            at: string;
            actor: {
                /** @description The id of the API key; `bootstrap` for that of `ADMIN_KEY`. */
                key: string;
                /** @description What the key was called then. */
                name: string;
            };
            /** @enum {string} */
            action: "api_key.created" | "api_key.deleted" | "application.created" | "application.updated" | "application.secret_rotated" | "application.deleted" | "application.erasure_requested" | "endpoint.created" | "endpoint.reregistered" | "endpoint.updated" | "endpoint.credentials_rotated" | "endpoint.enabled" | "endpoint.disabled" | "endpoint.paused" | "endpoint.resumed" | "endpoint.pending_canceled" | "endpoint.revoked" | "event.body_erased" | "delivery.redelivered" | "delivery.canceled" | "replay.started" | "replay.canceled";
            resource: {
                /** @enum {string} */
                kind: "api_key" | "application" | "endpoint" | "event" | "delivery" | "replay";
                /** @description Null for an event whose application was erased. */
                id: string | null;
            };
            /** @description Null where it concerns none, or several. */
            application: string | null;
            /** @description The `X-Request-Id` of the call. */
            requestId: string;
            /** @description The fields that changed, before and after. Of secrets only that they were set, rotated or removed; without values once the application was erased. */
            changes: {
                [key: string]: {
                    from?: unknown;
                    to?: unknown;
                };
            };
        };
        /**
         * @example {
         *       "name": "tf-fiscal",
         *       "title": "TF Fiscal: results of fiscal documents",
         *       "eventTypes": [
         *         {
         *           "name": "cte.event.registered",
         *           "reserved": false,
         *           "description": "Any other event was registered on a CT-e.",
         *           "fields": [
         *             {
         *               "name": "event_code",
         *               "presence": "required",
         *               "form": "text"
         *             }
         *           ]
         *         }
         *       ],
         *       "eventIdentity": "producer",
         *       "applicationSecret": true,
         *       "webhook": true,
         *       "endpoint": {
         *         "eventTypes": "any-or-filter",
         *         "credentials": [
         *           "token"
         *         ]
         *       },
         *       "url": {
         *         "schemes": [
         *           "http",
         *           "https"
         *         ],
         *         "maxLength": 500,
         *         "used": "current"
         *       },
         *       "testEvent": "webhook.verify",
         *       "headers": [
         *         "Content-Type",
         *         "X-Webhook-Signature"
         *       ],
         *       "defaults": {
         *         "retryWaits": [
         *           "1m",
         *           "5m",
         *           "30m",
         *           "2h",
         *           "6h"
         *         ],
         *         "timeout": "10s",
         *         "firstAttemptDelay": "0ms",
         *         "breakerThreshold": 10,
         *         "respectRetryAfter": false,
         *         "retryAfterCap": "1h",
         *         "concurrencyPerWorker": 10,
         *         "sendTraceparent": false
         *       },
         *       "exhausted": "dead"
         *     }
         */
        Contract: {
            name: string;
            title: string;
            readonly eventTypes: {
                name: string;
                /** @description Accepted and kept, and delivered to nobody. */
                reserved: boolean;
                description: string;
                /** @description The known members of `data`. */
                readonly fields: {
                    name: string;
                    /**
                     * @description Of its value: `expected` is usual and may be absent, `none` is refused, `derived` need not be sent, `all-or-none` goes together with the others marked so.
                     * @enum {string}
                     */
                    presence: "required" | "expected" | "optional" | "none" | "derived" | "all-or-none";
                    /** @description What a value looks like, in words. */
                    form: string;
                }[];
            }[];
            /**
             * @description Whether the `id` of a publish names the event, or the contract derives it and refuses one.
             * @enum {string}
             */
            eventIdentity: "producer" | "derived";
            /** @description Whether an application has a secret. */
            applicationSecret: boolean;
            /** @description Whether an application has one webhook beside its endpoints. */
            webhook: boolean;
            endpoint: {
                /** @enum {string} */
                eventTypes: "any-or-filter" | "exactly-one";
                readonly credentials: string[];
            };
            url: {
                readonly schemes: ("http" | "https")[];
                maxLength: number | null;
                /**
                 * @description Whether an attempt goes to the endpoint's URL of now or of when the delivery was queued.
                 * @enum {string}
                 */
                used: "current" | "as-queued";
            };
            /** @description The type of the event that verifies an endpoint; null where there is none. */
            testEvent: string | null;
            readonly headers: string[];
            /** @description In the words of an application's `settings`. */
            defaults: {
                /** @description Waits after the 1st, 2nd … failure, 1 to 20 of them; attempts = length + 1. */
                retryWaits: string[];
                /**
                 * @description From the request being sent to the response headers; 100ms to 15s.
                 * @example 15s
                 */
                timeout: string;
                /**
                 * @description The first attempt is owed this long after occurredAt; at most 1d.
                 * @example 15s
                 */
                firstAttemptDelay: string;
                /** @description Consecutive failures that disable an endpoint; 0 turns the breaker off. */
                breakerThreshold: number;
                /** @description Whether a response's Retry-After may lengthen the wait. */
                respectRetryAfter: boolean;
                /**
                 * @description The longest Retry-After that is honoured; at most 1d.
                 * @example 15s
                 */
                retryAfterCap: string;
                /** @description Simultaneous attempts to one endpoint from one worker; 1 to 512. */
                concurrencyPerWorker: number;
                /** @description Whether receivers get `traceparent` (and `tracestate`) beside the contract's headers: of the attempt where traces are exported, else as the publisher sent it. */
                sendTraceparent: boolean;
            };
            /**
             * @description What a delivery is whose attempts are used up.
             * @enum {string}
             */
            exhausted: "dead" | "closed";
        };
        /**
         * @example {
         *       "at": "2025-01-31T12:00:00.000Z",
         *       "counted": 1204,
         *       "countsUpTo": 10000,
         *       "retentionDays": 30,
         *       "items": [
         *         {
         *           "application": "acme",
         *           "endpoint": "251604938752001",
         *           "url": "https://example.com/webhooks",
         *           "httpStatus": 401,
         *           "errorCode": null,
         *           "count": 1204,
         *           "oldestFinishedAt": "2025-01-31T02:10:03.120Z",
         *           "newestFinishedAt": "2025-01-31T03:04:41.007Z",
         *           "oldestAcceptedAt": "2025-01-30T17:34:02.118Z"
         *         }
         *       ]
         *     }
         */
        DeadLetterGroups: {
            /** Format: date-time */
            at: string;
            /** @description Dead letters looked at, those that ended last. */
            counted: number;
            /** @description Where `counted` stops: there are more then. */
            countsUpTo: number;
            /** @description For so long a body is kept from the acceptance of its event. */
            retentionDays: number;
            /** @description The largest first, up to two hundred. */
            items: {
                application: string;
                /** @example 251604938752001 */
                endpoint: string;
                /** @description The endpoint's of now. */
                url: string;
                /** @description Of the last attempt; null where no response came. */
                httpStatus: number | null;
                /** @description Why none came. */
                errorCode: string | null;
                count: number;
                /** Format: date-time */
                oldestFinishedAt: string;
                /** Format: date-time */
                newestFinishedAt: string;
                /**
                 * Format: date-time
                 * @description Of the one whose body leaves first.
                 */
                oldestAcceptedAt: string;
            }[];
        };
        /**
         * @example {
         *       "id": "251604938752077",
         *       "event": "order-1042-paid",
         *       "application": "acme",
         *       "endpoint": "251604938752001",
         *       "type": "cte.event.registered",
         *       "state": "pending",
         *       "cycle": 1,
         *       "attemptCount": 1,
         *       "maxAttempts": 6,
         *       "nextAttemptAt": "2025-01-31T12:01:00.499Z",
         *       "createdAt": "2025-01-31T12:00:00.402Z",
         *       "deliveredAt": null,
         *       "finishedAt": null,
         *       "lastHttpStatus": 503,
         *       "lastError": null
         *     }
         */
        Delivery: {
            /** @example 251604938752001 */
            id: string;
            /** @description The event's id; null where the event is no longer kept. */
            event: string | null;
            application: string;
            /** @example 251604938752001 */
            endpoint: string;
            type: string;
            /** @enum {string} */
            state: "pending" | "delivered" | "dead" | "closed" | "canceled" | "suppressed";
            cycle: number;
            /** @description Finished attempts over all cycles. */
            attemptCount: number;
            /** @description Attempts before this cycle, and the length of it. */
            maxAttempts: number;
            nextAttemptAt: string | null;
            /** Format: date-time */
            createdAt: string;
            deliveredAt: string | null;
            finishedAt: string | null;
            lastHttpStatus: number | null;
            lastError: {
                /** @description Stable: `CONNECT_REFUSED`, `TIMEOUT_HEADERS`, … */
                code: string;
                message: string;
            } | null;
        };
        /**
         * @example {
         *       "id": "251604938752001",
         *       "application": "acme",
         *       "webhook": true,
         *       "url": "https://example.com/webhooks",
         *       "eventTypes": null,
         *       "description": null,
         *       "state": "active",
         *       "disabledReason": null,
         *       "disabledAt": null,
         *       "consecutiveFailures": 0,
         *       "credentials": {
         *         "token": {
         *           "set": true
         *         }
         *       },
         *       "nextCredentialsAt": null,
         *       "stats": {
         *         "pending": 0,
         *         "oldestDueAt": null,
         *         "lastSuccessAt": "2025-01-31T12:00:01.000Z",
         *         "lastFailureAt": null
         *       },
         *       "createdAt": "2025-01-31T12:00:00.000Z",
         *       "updatedAt": "2025-01-31T12:00:00.000Z",
         *       "suppressedCount": 3
         *     }
         */
        EnabledEndpoint: {
            /** @example 251604938752001 */
            id: string;
            application: string;
            /** @description Whether it is the application's one webhook. */
            webhook: boolean;
            url: string;
            /** @description Null: every type. */
            eventTypes: string[] | null;
            description: string | null;
            /** @enum {string} */
            state: "active" | "paused" | "disabled" | "revoked";
            disabledReason: string | null;
            disabledAt: string | null;
            consecutiveFailures: number;
            /** @description Which are set; what they are never comes back. */
            credentials: {
                [key: string]: {
                    set: boolean;
                };
            };
            /** @description When a rotation that was set takes effect, or took it; null when none was. */
            nextCredentialsAt: string | null;
            stats: {
                /** @description Deliveries that wait; counted up to 10000. */
                pending: number;
                /** @description Since when the oldest attempt is owed, of the thousand that fall due next; null when none is. */
                oldestDueAt: string | null;
                lastSuccessAt: string | null;
                lastFailureAt: string | null;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Deliveries that it missed while it was disabled and that can be replayed; up to 10000. */
            suppressedCount: number;
        };
        /**
         * @example {
         *       "id": "251604938752001",
         *       "application": "acme",
         *       "webhook": true,
         *       "url": "https://example.com/webhooks",
         *       "eventTypes": null,
         *       "description": null,
         *       "state": "active",
         *       "disabledReason": null,
         *       "disabledAt": null,
         *       "consecutiveFailures": 0,
         *       "credentials": {
         *         "token": {
         *           "set": true
         *         }
         *       },
         *       "nextCredentialsAt": null,
         *       "stats": {
         *         "pending": 0,
         *         "oldestDueAt": null,
         *         "lastSuccessAt": "2025-01-31T12:00:01.000Z",
         *         "lastFailureAt": null
         *       },
         *       "createdAt": "2025-01-31T12:00:00.000Z",
         *       "updatedAt": "2025-01-31T12:00:00.000Z"
         *     }
         */
        Endpoint: {
            /** @example 251604938752001 */
            id: string;
            application: string;
            /** @description Whether it is the application's one webhook. */
            webhook: boolean;
            url: string;
            /** @description Null: every type. */
            eventTypes: string[] | null;
            description: string | null;
            /** @enum {string} */
            state: "active" | "paused" | "disabled" | "revoked";
            disabledReason: string | null;
            disabledAt: string | null;
            consecutiveFailures: number;
            /** @description Which are set; what they are never comes back. */
            credentials: {
                [key: string]: {
                    set: boolean;
                };
            };
            /** @description When a rotation that was set takes effect, or took it; null when none was. */
            nextCredentialsAt: string | null;
            stats: {
                /** @description Deliveries that wait; counted up to 10000. */
                pending: number;
                /** @description Since when the oldest attempt is owed, of the thousand that fall due next; null when none is. */
                oldestDueAt: string | null;
                lastSuccessAt: string | null;
                lastFailureAt: string | null;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /**
         * @example {
         *       "at": "2025-01-31T12:00:00.000Z",
         *       "since": "2025-01-31T11:00:00.000Z",
         *       "order": "failures",
         *       "window": "1h",
         *       "items": [
         *         {
         *           "id": "251604938752001",
         *           "application": "acme",
         *           "url": "https://example.com/webhooks",
         *           "state": "active",
         *           "disabledReason": null,
         *           "disabledAt": null,
         *           "consecutiveFailures": 4,
         *           "succeeded": 120,
         *           "failed": 40,
         *           "successShare": 0.75,
         *           "averageDurationMs": 81.5,
         *           "pending": 40,
         *           "oldestDueAt": null,
         *           "lastHttpStatus": 503,
         *           "lastError": null
         *         }
         *       ]
         *     }
         */
        EndpointRanking: {
            /** Format: date-time */
            at: string;
            /**
             * Format: date-time
             * @description From when on attempts are counted: the window, and up to a step of it more.
             */
            since: string;
            /** @enum {string} */
            order: "failures" | "lag" | "volume";
            /** @enum {string} */
            window: "5m" | "1h" | "24h";
            /** @description Only those that have any of what they are ordered by; none that is revoked. */
            items: {
                /** @example 251604938752001 */
                id: string;
                application: string;
                url: string;
                /** @enum {string} */
                state: "active" | "paused" | "disabled" | "revoked";
                disabledReason: string | null;
                disabledAt: string | null;
                consecutiveFailures: number;
                /** @description Attempts since then. */
                succeeded: number;
                failed: number;
                /** @description 0 to 1; null without attempts. */
                successShare: number | null;
                /** @description Of all these attempts; null without any. */
                averageDurationMs: number | null;
                /** @description Deliveries that wait; counted up to 10000. */
                pending: number;
                /** @description Since when the oldest attempt is owed; null when none is. */
                oldestDueAt: string | null;
                /** @description Of the latest delivery that failed, among the latest twenty of today and yesterday. */
                lastHttpStatus: number | null;
                /** @description Of the same; null where an answer came. */
                lastError: {
                    code: string;
                    message: string;
                } | null;
            }[];
        };
        /**
         * @example {
         *       "id": "order-1042-paid",
         *       "application": "acme",
         *       "type": "cte.event.registered",
         *       "occurredAt": "2025-01-31T12:00:00.000Z",
         *       "acceptedAt": "2025-01-31T12:00:00.402Z",
         *       "reserved": false,
         *       "deliveryCount": 1,
         *       "suppressedCount": 0,
         *       "bodyBytes": 412,
         *       "bodyErasedAt": null
         *     }
         */
        Event: {
            id: string;
            application: string;
            type: string;
            /** Format: date-time */
            occurredAt: string;
            /** Format: date-time */
            acceptedAt: string;
            /** @description Accepted and kept, and delivered to nobody. */
            reserved: boolean;
            /** @description At acceptance. */
            deliveryCount: number;
            suppressedCount: number;
            /** @description Null once the body was erased. */
            bodyBytes: number | null;
            bodyErasedAt: string | null;
        };
        /**
         * @example {
         *       "number": 1,
         *       "cycle": 1,
         *       "trigger": "first",
         *       "startedAt": "2025-01-31T12:00:00.412Z",
         *       "durationMs": 87,
         *       "url": "https://example.com/webhooks",
         *       "remoteAddress": "203.0.113.7",
         *       "outcome": "http_5xx",
         *       "httpStatus": 503,
         *       "error": null,
         *       "responseSummary": "upstream connect error",
         *       "retryAfterSeconds": null,
         *       "nextAttemptAt": "2025-01-31T12:01:00.499Z",
         *       "superseded": false,
         *       "delivery": "251604938752077",
         *       "event": "order-1042-paid",
         *       "application": "acme",
         *       "endpoint": "251604938752001",
         *       "type": "cte.event.registered"
         *     }
         */
        FollowedAttempt: {
            number: number;
            cycle: number;
            /** @enum {string} */
            trigger: "first" | "retry" | "redeliver" | "replay";
            /** Format: date-time */
            startedAt: string;
            durationMs: number;
            url: string;
            remoteAddress: string | null;
            /** @enum {string} */
            outcome: "success" | "http_3xx" | "http_auth" | "http_429" | "http_4xx" | "http_5xx" | "timeout" | "dns" | "connect" | "tls" | "reset" | "protocol" | "address_forbidden" | "internal";
            httpStatus: number | null;
            /** @description Null exactly when a response came. */
            error: {
                /** @description Stable: `CONNECT_REFUSED`, `TIMEOUT_HEADERS`, … */
                code: string;
                message: string;
            } | null;
            /** @description The beginning of what was answered. */
            responseSummary: string;
            retryAfterSeconds: number | null;
            nextAttemptAt: string | null;
            /** @description Whether its result came too late to count: it is logged, and had no effect. */
            superseded: boolean;
            /** @example 251604938752001 */
            delivery: string;
            /** @description The event's id; null where the event is no longer kept. */
            event: string | null;
            application: string;
            /** @example 251604938752001 */
            endpoint: string;
            /** @description The event's. */
            type: string;
        };
        /**
         * @example {
         *       "id": "acme",
         *       "name": "Acme Ltda",
         *       "contract": "tf-fiscal",
         *       "environment": "production",
         *       "attributes": {},
         *       "settings": {
         *         "timeout": "5s"
         *       },
         *       "secret": {
         *         "set": true,
         *         "nextActivatesAt": null
         *       },
         *       "createdAt": "2025-01-31T12:00:00.000Z",
         *       "updatedAt": "2025-01-31T12:00:00.000Z",
         *       "issuedCredentials": {
         *         "secret": "whsec-0123456789abcdef0123456789abcdef"
         *       }
         *     }
         */
        IssuedApplication: {
            id: string;
            name: string;
            contract: string;
            environment: string;
            /** @description As the contract asks for them; fixed once set. */
            attributes: {
                [key: string]: unknown;
            };
            /** @description What overrides the contract's defaults, and only that. */
            settings: {
                /** @description Waits after the 1st, 2nd … failure, 1 to 20 of them; attempts = length + 1. */
                retryWaits?: string[];
                /**
                 * @description From the request being sent to the response headers; 100ms to 15s.
                 * @example 15s
                 */
                timeout?: string;
                /**
                 * @description The first attempt is owed this long after occurredAt; at most 1d.
                 * @example 15s
                 */
                firstAttemptDelay?: string;
                /** @description Consecutive failures that disable an endpoint; 0 turns the breaker off. */
                breakerThreshold?: number;
                /** @description Whether a response's Retry-After may lengthen the wait. */
                respectRetryAfter?: boolean;
                /**
                 * @description The longest Retry-After that is honoured; at most 1d.
                 * @example 15s
                 */
                retryAfterCap?: string;
                /** @description Simultaneous attempts to one endpoint from one worker; 1 to 512. */
                concurrencyPerWorker?: number;
                /** @description Whether receivers get `traceparent` (and `tracestate`) beside the contract's headers: of the attempt where traces are exported, else as the publisher sent it. */
                sendTraceparent?: boolean;
            };
            /** @description Null where the contract has no secret of the application. */
            secret: {
                /** @constant */
                set: true;
                /** @description When a rotation that was set takes effect, or took it. */
                nextActivatesAt: string | null;
            } | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Shown now and never again, where a secret was set. */
            issuedCredentials?: {
                secret: string;
            };
        };
        /**
         * @example {
         *       "id": "251604938752301",
         *       "name": "shop",
         *       "role": "producer",
         *       "applications": [
         *         "acme"
         *       ],
         *       "rateLimitPerSecond": null,
         *       "createdAt": "2025-01-31T12:00:00.000Z",
         *       "expiresAt": null,
         *       "key": "entrega_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"
         *     }
         */
        NewApiKey: {
            /** @description `bootstrap` for that of `ADMIN_KEY`. */
            id: string;
            name: string;
            /** @enum {string} */
            role: "producer" | "manager" | "operator" | "admin";
            /** @description The only ones it covers; null for all. */
            applications: string[] | null;
            /** @description Its own limit; null where it has that of the process it calls, or none. */
            rateLimitPerSecond: number | null;
            createdAt: string | null;
            /** @description When it stops working by itself; null for never. */
            expiresAt: string | null;
            /** @description Shown now and never again. */
            key: string;
        };
        /**
         * @description A refusal (RFC 9457).
         * @example {
         *       "type": "urn:entrega:problem:validation-failed",
         *       "title": "The request is not valid",
         *       "status": 422,
         *       "detail": "/name: This is required. Send a string.",
         *       "instance": "9f2c1d77a0b3-4x",
         *       "code": "VALIDATION_FAILED",
         *       "errors": [
         *         {
         *           "pointer": "/name",
         *           "code": "REQUIRED",
         *           "message": "This is required. Send a string."
         *         }
         *       ]
         *     }
         */
        Problem: {
            /** @description `urn:entrega:problem:` and the code in lower case. */
            type: string;
            /** @description What the code means. */
            title: string;
            status: number;
            /** @description What is wrong this time, and what to do; for people. */
            detail: string;
            /** @description The `X-Request-Id` of the request, for whoever reads our log. */
            instance: string;
            /**
             * @description Stable: what programs match on. New ones may come.
             * @enum {string}
             */
            code: "NOT_JSON" | "MALFORMED_REQUEST" | "UNAUTHENTICATED" | "FORBIDDEN" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "CONFLICT" | "EVENT_ID_REUSED" | "ATTEMPT_IN_FLIGHT" | "ENDPOINT_REVOKED" | "ENDPOINT_DISABLED" | "ENDPOINT_PAUSED" | "DELIVERY_NOT_PENDING" | "BODY_NOT_KEPT" | "BODY_ERASED" | "NO_TEST_EVENT" | "NO_WEBHOOK" | "NO_GENERATED_CREDENTIALS" | "APPLICATION_EXISTS" | "APPLICATION_DELETED" | "ENDPOINT_EXISTS" | "TOO_MANY_ENDPOINTS" | "GONE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "VALIDATION_FAILED" | "UNKNOWN_APPLICATION" | "APPLICATION_NOT_ALLOWED" | "VERIFICATION_FAILED" | "TOO_MANY_REQUESTS" | "HEADERS_TOO_LARGE" | "INTERNAL" | "UNAVAILABLE";
            /** @description Every fault, with its place. */
            readonly errors?: {
                /** @description The place in the body, as a JSON pointer (RFC 6901). */
                pointer?: string;
                /** @description The name of the query parameter. */
                parameter?: string;
                /** @description Stable: what programs match on. */
                code: string;
                /** @description What is wrong, with which value, and what to do; for people. */
                message: string;
            }[];
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "accepted": 1,
         *       "duplicates": 0,
         *       "rejected": 0,
         *       "results": [
         *         {
         *           "application": "acme",
         *           "id": "order-1042-paid",
         *           "duplicate": false,
         *           "reserved": false,
         *           "deliveryCount": 1,
         *           "suppressedCount": 0,
         *           "status": 202
         *         }
         *       ]
         *     }
         */
        PublishedBatch: {
            accepted: number;
            duplicates: number;
            rejected: number;
            /** @description In the order of the events, each as it would have been answered alone. */
            results: ({
                application: string;
                /** @description The event's: the caller's, or one that was made for it. */
                id: string;
                /** @description Whether it was there before: nothing new was made. */
                duplicate: boolean;
                /** @description Accepted and kept, and delivered to nobody. */
                reserved: boolean;
                /** @description Null on a duplicate. */
                deliveryCount: number | null;
                /** @description Deliveries to endpoints that are disabled; null on a duplicate. */
                suppressedCount: number | null;
                /** @constant */
                status: 202;
            } | components["schemas"]["Problem"])[];
        };
        /**
         * @example {
         *       "application": "acme",
         *       "id": "order-1042-paid",
         *       "duplicate": false,
         *       "reserved": false,
         *       "deliveryCount": 1,
         *       "suppressedCount": 0
         *     }
         */
        PublishedEvent: {
            application: string;
            /** @description The event's: the caller's, or one that was made for it. */
            id: string;
            /** @description Whether it was there before: nothing new was made. */
            duplicate: boolean;
            /** @description Accepted and kept, and delivered to nobody. */
            reserved: boolean;
            /** @description Null on a duplicate. */
            deliveryCount: number | null;
            /** @description Deliveries to endpoints that are disabled; null on a duplicate. */
            suppressedCount: number | null;
        };
        /**
         * @example {
         *       "application": "acme",
         *       "id": "order-1042-paid",
         *       "duplicate": false,
         *       "reserved": false,
         *       "deliveryCount": 1,
         *       "suppressedCount": 0,
         *       "body": "{\"event\":\"cte.event.registered\"}",
         *       "bodySha256": "7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730",
         *       "targets": [
         *         {
         *           "endpoint": "251604938752001",
         *           "endpointState": "active",
         *           "url": "https://example.com/webhooks",
         *           "state": "pending",
         *           "firstAttemptAt": "2025-01-31T12:00:00.402Z",
         *           "headers": [
         *             {
         *               "name": "X-Tffiscal-Event",
         *               "value": "cte.event.registered"
         *             },
         *             {
         *               "name": "token",
         *               "value": "***"
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        PublishTrial: {
            application: string;
            /** @description The event's: the caller's, or one as would be made for it. */
            id: string;
            /** @description Whether it was there before: nothing new was made. */
            duplicate: boolean;
            /** @description Accepted and kept, and delivered to nobody. */
            reserved: boolean;
            /** @description Null on a duplicate. */
            deliveryCount: number | null;
            /** @description Deliveries to endpoints that are disabled; null on a duplicate. */
            suppressedCount: number | null;
            /** @description What every attempt would send, byte for byte. */
            body: string;
            /** @description Of the body, in hexadecimal digits. */
            bodySha256: string;
            /** @description One for each delivery that would be made; none on a duplicate. */
            readonly targets: {
                /** @example 251604938752001 */
                endpoint: string;
                /**
                 * @description A paused one would be sent to once it is resumed.
                 * @enum {string}
                 */
                endpointState: "active" | "paused" | "disabled" | "revoked";
                url: string;
                /**
                 * @description The delivery's.
                 * @enum {string}
                 */
                state: "pending" | "suppressed";
                /** @description Null where nothing would be sent. */
                firstAttemptAt: string | null;
                /** @description As an attempt would send them now, signed, credentials as `***`; its delivery id is only an example. */
                readonly headers: {
                    name: string;
                    value: string;
                }[];
            }[];
        };
        /**
         * @example {
         *       "status": "degraded",
         *       "role": "ingest",
         *       "checks": {
         *         "database": "ok",
         *         "schema": "ok",
         *         "transport": "failed"
         *       }
         *     }
         */
        Readiness: {
            /** @enum {string} */
            status: "ready" | "degraded" | "unready";
            role: string;
            checks: {
                [key: string]: "ok" | "failed";
            };
        };
        /**
         * @example {
         *       "id": "251604938752001",
         *       "application": "acme",
         *       "webhook": true,
         *       "url": "https://example.com/webhooks",
         *       "eventTypes": null,
         *       "description": null,
         *       "state": "active",
         *       "disabledReason": null,
         *       "disabledAt": null,
         *       "consecutiveFailures": 0,
         *       "credentials": {
         *         "token": {
         *           "set": true
         *         }
         *       },
         *       "nextCredentialsAt": null,
         *       "stats": {
         *         "pending": 0,
         *         "oldestDueAt": null,
         *         "lastSuccessAt": "2025-01-31T12:00:01.000Z",
         *         "lastFailureAt": null
         *       },
         *       "createdAt": "2025-01-31T12:00:00.000Z",
         *       "updatedAt": "2025-01-31T12:00:00.000Z",
         *       "warnings": []
         *     }
         */
        RegisteredEndpoint: {
            /** @example 251604938752001 */
            id: string;
            application: string;
            /** @description Whether it is the application's one webhook. */
            webhook: boolean;
            url: string;
            /** @description Null: every type. */
            eventTypes: string[] | null;
            description: string | null;
            /** @enum {string} */
            state: "active" | "paused" | "disabled" | "revoked";
            disabledReason: string | null;
            disabledAt: string | null;
            consecutiveFailures: number;
            /** @description Which are set; what they are never comes back. */
            credentials: {
                [key: string]: {
                    set: boolean;
                };
            };
            /** @description When a rotation that was set takes effect, or took it; null when none was. */
            nextCredentialsAt: string | null;
            stats: {
                /** @description Deliveries that wait; counted up to 10000. */
                pending: number;
                /** @description Since when the oldest attempt is owed, of the thousand that fall due next; null when none is. */
                oldestDueAt: string | null;
                lastSuccessAt: string | null;
                lastFailureAt: string | null;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description What is allowed and may surprise. */
            readonly warnings: string[];
            /** @description Those that were made here: shown now and never again. */
            issuedCredentials?: {
                [key: string]: string;
            };
        };
        /**
         * @example {
         *       "id": "251604938752101",
         *       "at": "2025-01-31T12:00:00.402Z",
         *       "via": "http",
         *       "application": "acme",
         *       "type": "cte.event.registred",
         *       "event": null,
         *       "code": "VALIDATION_FAILED",
         *       "detail": "There is no event type \"cte.event.registred\".",
         *       "origin": "9f2c1d77a0b3-4x/events/17"
         *     }
         */
        Rejection: {
            /** @example 251604938752001 */
            id: string;
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            via: "http" | "kafka";
            application: string | null;
            type: string | null;
            /** @description The id that the producer gave it. */
            event: string | null;
            code: string;
            detail: string;
            /** @description The `X-Request-Id`, in a batch with `/events/` and the index; of a record `topic/partition/offset`. */
            origin: string;
        };
        /**
         * @example {
         *       "id": "251604938752201",
         *       "kind": "dead-letters",
         *       "filter": {
         *         "application": "acme",
         *         "states": [
         *           "dead",
         *           "closed"
         *         ]
         *       },
         *       "state": "running",
         *       "matched": 1204,
         *       "queued": 300,
         *       "skipped": 0,
         *       "ratePerSecond": 50,
         *       "failure": null,
         *       "createdBy": "on-call",
         *       "createdAt": "2025-01-31T12:00:00.000Z",
         *       "finishedAt": null
         *     }
         */
        Replay: {
            /** @example 251604938752001 */
            id: string;
            /** @enum {string} */
            kind: "dead-letters" | "endpoint";
            /** @description What was asked for; parts that were not asked for are left out. */
            filter: {
                application?: string;
                readonly applications?: string[];
                /** @example 251604938752001 */
                endpoint?: string;
                type?: string;
                /** Format: date-time */
                since?: string;
                /** Format: date-time */
                until?: string;
                readonly ids?: string[];
                readonly states: ("suppressed" | "dead" | "closed" | "delivered" | "pending")[];
            };
            /** @enum {string} */
            state: "running" | "done" | "canceled" | "failed";
            /** @description Deliveries of the set when it was fixed. */
            matched: number;
            queued: number;
            /** @description Changed since it was fixed, in flight, or of a revoked endpoint. */
            skipped: number;
            ratePerSecond: number | null;
            failure: string | null;
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            finishedAt: string | null;
        };
        /**
         * @example {
         *       "matched": 1204,
         *       "oldest": "2025-01-31T02:10:03.120Z",
         *       "newest": "2025-01-31T03:04:41.007Z",
         *       "byEndpoint": [
         *         {
         *           "endpoint": "251604938752001",
         *           "matched": 1204
         *         }
         *       ]
         *     }
         */
        ReplayPreview: {
            matched: number;
            oldest: string | null;
            newest: string | null;
            byEndpoint: {
                /** @example 251604938752001 */
                endpoint: string;
                matched: number;
            }[];
        };
        /**
         * @example {
         *       "id": "251604938752001",
         *       "application": "acme",
         *       "webhook": true,
         *       "url": "https://example.com/webhooks",
         *       "eventTypes": null,
         *       "description": null,
         *       "state": "active",
         *       "disabledReason": null,
         *       "disabledAt": null,
         *       "consecutiveFailures": 0,
         *       "credentials": {
         *         "token": {
         *           "set": true
         *         }
         *       },
         *       "nextCredentialsAt": null,
         *       "stats": {
         *         "pending": 0,
         *         "oldestDueAt": null,
         *         "lastSuccessAt": "2025-01-31T12:00:01.000Z",
         *         "lastFailureAt": null
         *       },
         *       "createdAt": "2025-01-31T12:00:00.000Z",
         *       "updatedAt": "2025-01-31T12:00:00.000Z",
         *       "overdueCount": 3
         *     }
         */
        ResumedEndpoint: {
            /** @example 251604938752001 */
            id: string;
            application: string;
            /** @description Whether it is the application's one webhook. */
            webhook: boolean;
            url: string;
            /** @description Null: every type. */
            eventTypes: string[] | null;
            description: string | null;
            /** @enum {string} */
            state: "active" | "paused" | "disabled" | "revoked";
            disabledReason: string | null;
            disabledAt: string | null;
            consecutiveFailures: number;
            /** @description Which are set; what they are never comes back. */
            credentials: {
                [key: string]: {
                    set: boolean;
                };
            };
            /** @description When a rotation that was set takes effect, or took it; null when none was. */
            nextCredentialsAt: string | null;
            stats: {
                /** @description Deliveries that wait; counted up to 10000. */
                pending: number;
                /** @description Since when the oldest attempt is owed, of the thousand that fall due next; null when none is. */
                oldestDueAt: string | null;
                lastSuccessAt: string | null;
                lastFailureAt: string | null;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Deliveries that fell due during the pause and are owed now. */
            overdueCount: number;
        };
        /**
         * @example {
         *       "id": "251604938752001",
         *       "application": "acme",
         *       "webhook": true,
         *       "url": "https://example.com/webhooks",
         *       "eventTypes": null,
         *       "description": null,
         *       "state": "active",
         *       "disabledReason": null,
         *       "disabledAt": null,
         *       "consecutiveFailures": 0,
         *       "credentials": {
         *         "token": {
         *           "set": true
         *         }
         *       },
         *       "nextCredentialsAt": null,
         *       "stats": {
         *         "pending": 0,
         *         "oldestDueAt": null,
         *         "lastSuccessAt": "2025-01-31T12:00:01.000Z",
         *         "lastFailureAt": null
         *       },
         *       "createdAt": "2025-01-31T12:00:00.000Z",
         *       "updatedAt": "2025-01-31T12:00:00.000Z",
         *       "issuedCredentials": {
         *         "secret": "whsec_0123456789abcdef"
         *       }
         *     }
         */
        RotatedEndpoint: {
            /** @example 251604938752001 */
            id: string;
            application: string;
            /** @description Whether it is the application's one webhook. */
            webhook: boolean;
            url: string;
            /** @description Null: every type. */
            eventTypes: string[] | null;
            description: string | null;
            /** @enum {string} */
            state: "active" | "paused" | "disabled" | "revoked";
            disabledReason: string | null;
            disabledAt: string | null;
            consecutiveFailures: number;
            /** @description Which are set; what they are never comes back. */
            credentials: {
                [key: string]: {
                    set: boolean;
                };
            };
            /** @description When a rotation that was set takes effect, or took it; null when none was. */
            nextCredentialsAt: string | null;
            stats: {
                /** @description Deliveries that wait; counted up to 10000. */
                pending: number;
                /** @description Since when the oldest attempt is owed, of the thousand that fall due next; null when none is. */
                oldestDueAt: string | null;
                lastSuccessAt: string | null;
                lastFailureAt: string | null;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Those that were made here: shown now and never again. */
            issuedCredentials: {
                [key: string]: string;
            };
        };
        /**
         * @example {
         *       "at": "2025-01-31T12:00:00.000Z",
         *       "countsUpTo": 10000,
         *       "deliveries": {
         *         "pending": 17,
         *         "dead": 2,
         *         "closed": 0,
         *         "suppressed": 3,
         *         "canceled": 0
         *       },
         *       "backlog": {
         *         "due": 1,
         *         "scheduled": 16,
         *         "oldestDueAt": "2025-01-31T11:59:59.900Z"
         *       },
         *       "accepted": {
         *         "since": "2025-01-31T11:59:50.000Z",
         *         "events": 14
         *       },
         *       "attempts": {
         *         "since": "2025-01-30T12:00:00.000Z",
         *         "succeeded": 120493,
         *         "failed": 211
         *       },
         *       "minutes": [
         *         {
         *           "minute": "2025-01-31T12:00:00.000Z",
         *           "succeeded": 81,
         *           "failed": 2
         *         }
         *       ],
         *       "endpoints": {
         *         "active": 41,
         *         "paused": 0,
         *         "disabled": 1
         *       },
         *       "disabledEndpoints": [
         *         {
         *           "id": "251604938752001",
         *           "application": "acme",
         *           "disabledAt": "2025-01-31T11:20:00.000Z",
         *           "disabledReason": "10 failures in a row"
         *         }
         *       ]
         *     }
         */
        Stats: {
            /** Format: date-time */
            at: string;
            /** @description Counts of deliveries stop here. */
            countsUpTo: number;
            deliveries: {
                pending: number;
                dead: number;
                closed: number;
                suppressed: number;
                canceled: number;
            };
            /** @description What waits: owed by now, and owed later. */
            backlog: {
                due: number;
                scheduled: number;
                oldestDueAt: string | null;
            };
            /** @description Of the last 10 seconds; stops at 100000. */
            accepted: {
                /** Format: date-time */
                since: string;
                events: number;
            };
            /** @description Of the last 24 hours and what began of the hour before them. */
            attempts: {
                /** Format: date-time */
                since: string;
                succeeded: number;
                failed: number;
            };
            /** @description Attempts of the last hour by minute, oldest first; the last one still runs. */
            minutes: {
                /** Format: date-time */
                minute: string;
                succeeded: number;
                failed: number;
            }[];
            endpoints: {
                active: number;
                paused: number;
                disabled: number;
            };
            /** @description The latest first, up to a hundred. */
            disabledEndpoints: {
                /** @example 251604938752001 */
                id: string;
                application: string;
                disabledAt: string | null;
                disabledReason: string | null;
            }[];
        };
        /**
         * @example {
         *       "number": 1,
         *       "cycle": 1,
         *       "trigger": "first",
         *       "startedAt": "2025-01-31T12:00:00.412Z",
         *       "durationMs": 87,
         *       "url": "https://example.com/webhooks",
         *       "remoteAddress": "203.0.113.7",
         *       "outcome": "http_5xx",
         *       "httpStatus": 503,
         *       "error": null,
         *       "responseSummary": "upstream connect error",
         *       "retryAfterSeconds": null,
         *       "nextAttemptAt": null
         *     }
         */
        TestAttempt: {
            number: number;
            cycle: number;
            /** @enum {string} */
            trigger: "first" | "retry" | "redeliver" | "replay";
            /** Format: date-time */
            startedAt: string;
            durationMs: number;
            url: string;
            remoteAddress: string | null;
            /** @enum {string} */
            outcome: "success" | "http_3xx" | "http_auth" | "http_429" | "http_4xx" | "http_5xx" | "timeout" | "dns" | "connect" | "tls" | "reset" | "protocol" | "address_forbidden" | "internal";
            httpStatus: number | null;
            /** @description Null exactly when a response came. */
            error: {
                /** @description Stable: `CONNECT_REFUSED`, `TIMEOUT_HEADERS`, … */
                code: string;
                message: string;
            } | null;
            /** @description The beginning of what was answered. */
            responseSummary: string;
            retryAfterSeconds: number | null;
            nextAttemptAt: string | null;
        };
        /**
         * @example {
         *       "number": 1,
         *       "cycle": 1,
         *       "trigger": "first",
         *       "startedAt": "2025-01-31T12:00:00.412Z",
         *       "durationMs": 87,
         *       "url": "https://example.com/webhooks",
         *       "remoteAddress": "203.0.113.7",
         *       "outcome": "http_5xx",
         *       "httpStatus": 503,
         *       "error": null,
         *       "responseSummary": "upstream connect error",
         *       "retryAfterSeconds": null,
         *       "nextAttemptAt": "2025-01-31T12:01:00.499Z",
         *       "superseded": false,
         *       "delivery": "251604938752077",
         *       "event": "order-1042-paid",
         *       "application": "acme",
         *       "endpoint": "251604938752001",
         *       "type": "cte.event.registered",
         *       "request": {
         *         "method": "POST",
         *         "url": "https://example.com/webhooks",
         *         "headers": [
         *           {
         *             "name": "Content-Type",
         *             "value": "application/json; charset=utf-8"
         *           },
         *           {
         *             "name": "X-Tffiscal-Event",
         *             "value": "cte.event.registered"
         *           },
         *           {
         *             "name": "token",
         *             "value": "***"
         *           }
         *         ],
         *         "body": {
         *           "href": "/v1/applications/acme/events/order-1042-paid/body",
         *           "bytes": 412,
         *           "sha256": "7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730"
         *         }
         *       },
         *       "response": {
         *         "httpStatus": 503,
         *         "headers": [
         *           {
         *             "name": "Content-Type",
         *             "value": "text/plain"
         *           }
         *         ],
         *         "headersCut": false,
         *         "text": "upstream connect error"
         *       }
         *     }
         */
        WholeAttempt: {
            number: number;
            cycle: number;
            /** @enum {string} */
            trigger: "first" | "retry" | "redeliver" | "replay";
            /** Format: date-time */
            startedAt: string;
            durationMs: number;
            url: string;
            remoteAddress: string | null;
            /** @enum {string} */
            outcome: "success" | "http_3xx" | "http_auth" | "http_429" | "http_4xx" | "http_5xx" | "timeout" | "dns" | "connect" | "tls" | "reset" | "protocol" | "address_forbidden" | "internal";
            httpStatus: number | null;
            /** @description Null exactly when a response came. */
            error: {
                /** @description Stable: `CONNECT_REFUSED`, `TIMEOUT_HEADERS`, … */
                code: string;
                message: string;
            } | null;
            /** @description The beginning of what was answered. */
            responseSummary: string;
            retryAfterSeconds: number | null;
            nextAttemptAt: string | null;
            /** @description Whether its result came too late to count: it is logged, and had no effect. */
            superseded: boolean;
            /** @example 251604938752001 */
            delivery: string;
            /** @description The event's id; null where the event is no longer kept. */
            event: string | null;
            application: string;
            /** @example 251604938752001 */
            endpoint: string;
            /** @description The event's. */
            type: string;
            request: {
                /** @constant */
                method: "POST";
                url: string;
                /** @description As they were sent, in order and casing, credentials as `***`; `Host`, `Content-Length` and `Connection` follow from URL and body. Null for attempts from before they were kept, and once the body was erased. */
                headers: {
                    name: string;
                    value: string;
                }[] | null;
                /** @description Null where the body is no longer kept, or was erased. */
                body: {
                    /** @description Where the exact bytes are: a path of this API. */
                    href: string;
                    bytes: number;
                    /** @description Of the bytes, in hexadecimal digits. */
                    sha256: string;
                } | null;
            };
            /** @description Null where none came. */
            response: {
                httpStatus: number;
                /** @description As they came, together up to 4096 characters: our credentials as `***`, control characters replaced. Null for attempts from before they were kept, and once the body was erased. */
                headers: {
                    name: string;
                    value: string;
                }[] | null;
                /** @description Whether there were more than are kept. */
                headersCut: boolean;
                /** @description The beginning of the body, as in `responseSummary`. */
                text: string;
            } | null;
        };
        /**
         * @example {
         *       "id": "order-1042-paid",
         *       "application": "acme",
         *       "type": "cte.event.registered",
         *       "occurredAt": "2025-01-31T12:00:00.000Z",
         *       "acceptedAt": "2025-01-31T12:00:00.402Z",
         *       "reserved": false,
         *       "deliveryCount": 1,
         *       "suppressedCount": 0,
         *       "bodyBytes": 412,
         *       "bodyErasedAt": null,
         *       "deliveries": [
         *         {
         *           "id": "251604938752077",
         *           "event": "order-1042-paid",
         *           "application": "acme",
         *           "endpoint": "251604938752001",
         *           "type": "cte.event.registered",
         *           "state": "pending",
         *           "cycle": 1,
         *           "attemptCount": 1,
         *           "maxAttempts": 6,
         *           "nextAttemptAt": "2025-01-31T12:01:00.499Z",
         *           "createdAt": "2025-01-31T12:00:00.402Z",
         *           "deliveredAt": null,
         *           "finishedAt": null,
         *           "lastHttpStatus": 503,
         *           "lastError": null
         *         }
         *       ],
         *       "body": "{\"event\":\"cte.event.registered\"}",
         *       "bodySha256": "7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730"
         *     }
         */
        WholeEvent: {
            id: string;
            application: string;
            type: string;
            /** Format: date-time */
            occurredAt: string;
            /** Format: date-time */
            acceptedAt: string;
            /** @description Accepted and kept, and delivered to nobody. */
            reserved: boolean;
            /** @description At acceptance. */
            deliveryCount: number;
            suppressedCount: number;
            /** @description Null once the body was erased. */
            bodyBytes: number | null;
            bodyErasedAt: string | null;
            /** @description The newest thousand; `GET /v1/deliveries?event=` lists all. */
            readonly deliveries: components["schemas"]["Delivery"][];
            /** @description What every attempt sends, byte for byte; null once it was erased. */
            body: string | null;
            /** @description Of the body, in hexadecimal digits. */
            bodySha256: string | null;
        };
    };
    responses: {
        /** @description `APPLICATION_DELETED`: The application was deleted. */
        ApplicationDeleted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `APPLICATION_EXISTS`: The application already exists.
         *
         *     `APPLICATION_DELETED`: The application was deleted.
         */
        ApplicationExistsOrApplicationDeleted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `ATTEMPT_IN_FLIGHT`: An attempt is in flight.
         *
         *     `DELIVERY_NOT_PENDING`: The delivery is not pending.
         */
        AttemptInFlightOrDeliveryNotPending: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `ATTEMPT_IN_FLIGHT`: An attempt is in flight.
         *
         *     `ENDPOINT_REVOKED`: The endpoint is revoked.
         *
         *     `BODY_NOT_KEPT`: The event body is no longer kept.
         *
         *     `BODY_ERASED`: The event body was erased.
         */
        AttemptInFlightOrEndpointRevokedOrBodyNotKeptOrBodyErased: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `CONFLICT`: Conflict with the present state. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `ENDPOINT_REVOKED`: The endpoint is revoked. */
        EndpointRevoked: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `ENDPOINT_REVOKED`: The endpoint is revoked.
         *
         *     `ENDPOINT_DISABLED`: The endpoint is disabled.
         */
        EndpointRevokedOrEndpointDisabled: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `ENDPOINT_REVOKED`: The endpoint is revoked.
         *
         *     `ENDPOINT_PAUSED`: The endpoint is paused.
         */
        EndpointRevokedOrEndpointPaused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `ENDPOINT_REVOKED`: The endpoint is revoked.
         *
         *     `NO_GENERATED_CREDENTIALS`: The contract generates no credentials of an endpoint.
         */
        EndpointRevokedOrNoGeneratedCredentials: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `ENDPOINT_REVOKED`: The endpoint is revoked.
         *
         *     `NO_TEST_EVENT`: The contract has no test event.
         */
        EndpointRevokedOrNoTestEvent: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `ENDPOINT_REVOKED`: The endpoint is revoked.
         *
         *     `NO_TEST_EVENT`: The contract has no test event.
         *
         *     `ENDPOINT_EXISTS`: The endpoint already exists.
         *
         *     `TOO_MANY_ENDPOINTS`: The application has too many endpoints.
         */
        EndpointRevokedOrNoTestEventOrEndpointExistsOrTooManyEndpoints: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `EVENT_ID_REUSED`: The event id belongs to another event. */
        EventIdReused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `FORBIDDEN`: The API key does not allow this. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `FORBIDDEN`: The API key does not allow this.
         *
         *     `APPLICATION_NOT_ALLOWED`: The API key does not cover the application.
         */
        ForbiddenOrApplicationNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `GONE`: What was here was erased. */
        Gone: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `HEADERS_TOO_LARGE`: The request headers are too large. */
        HeadersTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `INTERNAL`: Internal error. */
        Internal: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `MALFORMED_REQUEST`: The request is malformed. */
        MalformedRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `NO_TEST_EVENT`: The contract has no test event.
         *
         *     `ENDPOINT_EXISTS`: The endpoint already exists.
         *
         *     `TOO_MANY_ENDPOINTS`: The application has too many endpoints.
         */
        NoTestEventOrEndpointExistsOrTooManyEndpoints: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `NO_TEST_EVENT`: The contract has no test event.
         *
         *     `NO_WEBHOOK`: The contract has no single webhook.
         *
         *     `ENDPOINT_EXISTS`: The endpoint already exists.
         *
         *     `TOO_MANY_ENDPOINTS`: The application has too many endpoints.
         */
        NoTestEventOrNoWebhookOrEndpointExistsOrTooManyEndpoints: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `NOT_FOUND`: Not found. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `NOT_JSON`: The request body is not valid JSON.
         *
         *     `MALFORMED_REQUEST`: The request is malformed.
         */
        NotJsonOrMalformedRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `PAYLOAD_TOO_LARGE`: The request is too large. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `TOO_MANY_REQUESTS`: Too many requests. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `UNAUTHENTICATED`: No valid API key. */
        Unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `UNAVAILABLE`: Temporarily unavailable. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `UNSUPPORTED_MEDIA_TYPE`: Unsupported media type. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `VALIDATION_FAILED`: The request is not valid. */
        ValidationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `VALIDATION_FAILED`: The request is not valid.
         *
         *     `UNKNOWN_APPLICATION`: The application does not exist.
         */
        ValidationFailedOrUnknownApplication: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `VALIDATION_FAILED`: The request is not valid.
         *
         *     `VERIFICATION_FAILED`: The test delivery was not acknowledged.
         */
        ValidationFailedOrVerificationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Names the request in our log. */
        "X-Request-Id": string;
        /** @description Where the result is. */
        Location: string;
        /** @description How to say who calls. */
        "WWW-Authenticate": "Bearer";
        /** @description Seconds after which the same request may succeed. */
        "Retry-After": string;
        /** @description How many requests a second the key may make. Absent where the key has no limit. */
        "RateLimit-Policy": string;
        /** @description How many requests are left (`r`), and in how many seconds there are more (`t`). Absent where the key has no limit. */
        RateLimit: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getDocs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description HTML. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["MalformedRequest"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
        };
    };
    getDocsStyle: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description CSS. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/css": string;
                };
            };
            400: components["responses"]["MalformedRequest"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It does. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its metrics. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["MalformedRequest"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It can. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            /** @description It cannot: the database or its schema is away. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Items on a page at most; 50 without it. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        readonly items: components["schemas"]["ApiKey"][];
                        /** @description `cursor` of the next page, which may follow a page that is not full; null at the end. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1024 KiB. */
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @enum {string} */
                    role: "producer" | "manager" | "operator" | "admin";
                    /** @default null */
                    applications?: string[] | null;
                    /** @default null */
                    rateLimitPerSecond?: number | null;
                    expiresAt?: string | null;
                };
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrApplicationNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCurrentApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApplications: {
        parameters: {
            query?: {
                contract?: string[];
                environment?: string[];
                /** @description Items on a page at most; 50 without it. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        readonly items: components["schemas"]["Application"][];
                        /** @description `cursor` of the next page, which may follow a page that is not full; null at the end. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createApplication: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1024 KiB. */
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @enum {string} */
                    contract: "tf-fiscal" | "cortecloud";
                    environment?: string;
                    attributes?: {
                        [key: string]: unknown;
                    };
                    secret?: string;
                    settings?: {
                        /** @description Waits after the 1st, 2nd … failure, 1 to 20 of them; attempts = length + 1. */
                        retryWaits?: string[];
                        /**
                         * @description From the request being sent to the response headers; 100ms to 15s.
                         * @example 15s
                         */
                        timeout?: string;
                        /**
                         * @description The first attempt is owed this long after occurredAt; at most 1d.
                         * @example 15s
                         */
                        firstAttemptDelay?: string;
                        /** @description Consecutive failures that disable an endpoint; 0 turns the breaker off. */
                        breakerThreshold?: number;
                        /** @description Whether a response's Retry-After may lengthen the wait. */
                        respectRetryAfter?: boolean;
                        /**
                         * @description The longest Retry-After that is honoured; at most 1d.
                         * @example 15s
                         */
                        retryAfterCap?: string;
                        /** @description Simultaneous attempts to one endpoint from one worker; 1 to 512. */
                        concurrencyPerWorker?: number;
                        /** @description Whether receivers get `traceparent` (and `tracestate`) beside the contract's headers: of the attempt where traces are exported, else as the publisher sent it. */
                        sendTraceparent?: boolean;
                    };
                    /** @example acme */
                    id?: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedApplication"];
                };
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrApplicationNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ApplicationExistsOrApplicationDeleted"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEndpoints: {
        parameters: {
            query?: {
                state?: ("active" | "paused" | "disabled" | "revoked")[];
                /** @description Items on a page at most; 50 without it. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                application: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        readonly items: components["schemas"]["Endpoint"][];
                        /** @description `cursor` of the next page, which may follow a page that is not full; null at the end. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                application: string;
            };
            cookie?: never;
        };
        /** @description At most 1024 KiB. */
        requestBody: {
            content: {
                "application/json": {
                    url: string;
                    credentials?: {
                        [key: string]: unknown;
                    };
                    description?: string | null;
                    verify?: boolean;
                    eventTypes?: string[] | null;
                };
            };
        };
        responses: {
            /** @description Added. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisteredEndpoint"];
                };
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["NoTestEventOrEndpointExistsOrTooManyEndpoints"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedOrVerificationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getErasure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                application: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The erasure. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApplicationErasure"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                application: string;
                event: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WholeEvent"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEventBody: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                application: string;
                event: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The body. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            410: components["responses"]["Gone"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    eraseEventBody: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                application: string;
                event: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Erased. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                application: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Endpoint"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                application: string;
            };
            cookie?: never;
        };
        /** @description At most 1024 KiB. */
        requestBody: {
            content: {
                "application/json": {
                    url: string;
                    credentials?: {
                        [key: string]: unknown;
                    };
                    description?: string | null;
                    verify?: boolean;
                };
            };
        };
        responses: {
            /** @description Overwritten. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisteredEndpoint"];
                };
            };
            /** @description Registered. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisteredEndpoint"];
                };
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["NoTestEventOrNoWebhookOrEndpointExistsOrTooManyEndpoints"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedOrVerificationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                application: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The application. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Application"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1024 KiB. */
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @enum {string} */
                    contract: "tf-fiscal" | "cortecloud";
                    environment?: string;
                    attributes?: {
                        [key: string]: unknown;
                    };
                    secret?: string;
                    settings?: {
                        /** @description Waits after the 1st, 2nd … failure, 1 to 20 of them; attempts = length + 1. */
                        retryWaits?: string[];
                        /**
                         * @description From the request being sent to the response headers; 100ms to 15s.
                         * @example 15s
                         */
                        timeout?: string;
                        /**
                         * @description The first attempt is owed this long after occurredAt; at most 1d.
                         * @example 15s
                         */
                        firstAttemptDelay?: string;
                        /** @description Consecutive failures that disable an endpoint; 0 turns the breaker off. */
                        breakerThreshold?: number;
                        /** @description Whether a response's Retry-After may lengthen the wait. */
                        respectRetryAfter?: boolean;
                        /**
                         * @description The longest Retry-After that is honoured; at most 1d.
                         * @example 15s
                         */
                        retryAfterCap?: string;
                        /** @description Simultaneous attempts to one endpoint from one worker; 1 to 512. */
                        concurrencyPerWorker?: number;
                        /** @description Whether receivers get `traceparent` (and `tracestate`) beside the contract's headers: of the attempt where traces are exported, else as the publisher sent it. */
                        sendTraceparent?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Changed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedApplication"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedApplication"];
                };
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrApplicationNotAllowed"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ApplicationDeleted"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteApplication: {
        parameters: {
            query?: {
                erase?: "true" | "false";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted; its data is being erased. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApplicationErasure"];
                };
            };
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1024 KiB. */
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    environment?: string;
                    attributes?: {
                        [key: string]: unknown;
                    };
                    settings?: {
                        retryWaits?: string[] | null;
                        timeout?: string | null;
                        firstAttemptDelay?: string | null;
                        breakerThreshold?: number | null;
                        respectRetryAfter?: boolean | null;
                        retryAfterCap?: string | null;
                        concurrencyPerWorker?: number | null;
                        sendTraceparent?: boolean | null;
                    } | null;
                };
                "application/merge-patch+json": {
                    name?: string;
                    environment?: string;
                    attributes?: {
                        [key: string]: unknown;
                    };
                    settings?: {
                        retryWaits?: string[] | null;
                        timeout?: string | null;
                        firstAttemptDelay?: string | null;
                        breakerThreshold?: number | null;
                        respectRetryAfter?: boolean | null;
                        retryAfterCap?: string | null;
                        concurrencyPerWorker?: number | null;
                        sendTraceparent?: boolean | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Changed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Application"];
                };
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateApplicationSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1024 KiB. */
        requestBody?: {
            content: {
                "application/json": {
                    secret?: string;
                    /**
                     * Format: date-time
                     * @example 2025-01-31T12:00:00Z
                     */
                    activateAt?: string;
                };
            };
        };
        responses: {
            /** @description Set. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedApplication"];
                };
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    followAttempts: {
        parameters: {
            query?: {
                application?: string[];
                endpoint?: string[];
                outcome?: ("success" | "http_3xx" | "http_auth" | "http_429" | "http_4xx" | "http_5xx" | "timeout" | "dns" | "connect" | "tls" | "reset" | "protocol" | "address_forbidden" | "internal")[];
                /** @description `nextCursor` of the page before; from now without it. */
                after?: string;
                /** @description Seconds to wait for an attempt where there is none yet. */
                wait?: number;
                /** @description Items on a page at most; 50 without it. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was written since. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        readonly items: components["schemas"]["FollowedAttempt"][];
                        /** @description `after` of the next call, always: this list has no end. */
                        nextCursor: string;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                application?: string[];
                actor?: string[];
                action?: ("api_key.created" | "api_key.deleted" | "application.created" | "application.updated" | "application.secret_rotated" | "application.deleted" | "application.erasure_requested" | "endpoint.created" | "endpoint.reregistered" | "endpoint.updated" | "endpoint.credentials_rotated" | "endpoint.enabled" | "endpoint.disabled" | "endpoint.paused" | "endpoint.resumed" | "endpoint.pending_canceled" | "endpoint.revoked" | "event.body_erased" | "delivery.redelivered" | "delivery.canceled" | "replay.started" | "replay.canceled")[];
                resource?: string[];
                /** @description Not before this time. */
                since?: string;
                /** @description Before this time. */
                until?: string;
                /** @description Items on a page at most; 50 without it. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        readonly items: components["schemas"]["AuditEntry"][];
                        /** @description `cursor` of the next page, which may follow a page that is not full; null at the end. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listContracts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Contract"][];
                        nextCursor: null;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getContract: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contract. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contract"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeadLetters: {
        parameters: {
            query?: {
                state?: ("dead" | "closed")[];
                application?: string[];
                endpoint?: string[];
                event?: string[];
                type?: string[];
                /** @description Not before this time. */
                since?: string;
                /** @description Before this time. */
                until?: string;
                /** @description Items on a page at most; 50 without it. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        readonly items: components["schemas"]["Delivery"][];
                        /** @description `cursor` of the next page, which may follow a page that is not full; null at the end. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    groupDeadLetters: {
        parameters: {
            query?: {
                application?: string[];
                endpoint?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The groups of now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLetterGroups"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliverDeadLetters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1024 KiB. */
        requestBody: {
            content: {
                "application/json": {
                    /** @example acme */
                    application?: string;
                    /** @example 251604938752001 */
                    endpoint?: string;
                    type?: string;
                    /**
                     * Format: date-time
                     * @example 2025-01-31T12:00:00Z
                     */
                    since?: string;
                    /**
                     * Format: date-time
                     * @example 2025-01-31T12:00:00Z
                     */
                    until?: string;
                    ids?: string[];
                    /** @default false */
                    dryRun?: boolean;
                    ratePerSecond?: number;
                };
            };
        };
        responses: {
            /** @description What it would take (`dryRun`). */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayPreview"];
                };
            };
            /** @description Begun. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                state?: ("pending" | "delivered" | "dead" | "closed" | "canceled" | "suppressed")[];
                application?: string[];
                endpoint?: string[];
                event?: string[];
                type?: string[];
                /** @description Not before this time. */
                since?: string;
                /** @description Before this time. */
                until?: string;
                /** @description Items on a page at most; 50 without it. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        readonly items: components["schemas"]["Delivery"][];
                        /** @description `cursor` of the next page, which may follow a page that is not full; null at the end. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAttempts: {
        parameters: {
            query?: {
                /** @description Items on a page at most; 50 without it. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        readonly items: components["schemas"]["Attempt"][];
                        /** @description `cursor` of the next page, which may follow a page that is not full; null at the end. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAttempt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The attempt. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WholeAttempt"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Canceled. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["AttemptInFlightOrDeliveryNotPending"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Owed now. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["AttemptInFlightOrEndpointRevokedOrBodyNotKeptOrBodyErased"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint; revoked ones are found too. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Endpoint"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1024 KiB. */
        requestBody: {
            content: {
                "application/json": {
                    url?: string;
                    credentials?: {
                        [key: string]: unknown;
                    };
                    description?: string | null;
                    verify?: boolean;
                    eventTypes?: string[] | null;
                };
                "application/merge-patch+json": {
                    url?: string;
                    credentials?: {
                        [key: string]: unknown;
                    };
                    description?: string | null;
                    verify?: boolean;
                    eventTypes?: string[] | null;
                };
            };
        };
        responses: {
            /** @description Changed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisteredEndpoint"];
                };
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["EndpointRevokedOrNoTestEventOrEndpointExistsOrTooManyEndpoints"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedOrVerificationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelPending: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Canceled. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        canceledCount: number;
                    };
                };
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    disableEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1024 KiB. */
        requestBody?: {
            content: {
                "application/json": {
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Disabled. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Endpoint"];
                };
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["EndpointRevokedOrEndpointPaused"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    enableEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Enabled. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnabledEndpoint"];
                };
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["EndpointRevoked"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    pauseEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Paused. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Endpoint"];
                };
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["EndpointRevokedOrEndpointDisabled"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1024 KiB. */
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @example 2025-01-31T12:00:00Z
                     */
                    since: string;
                    /**
                     * Format: date-time
                     * @example 2025-01-31T12:00:00Z
                     */
                    until?: string;
                    states: ("suppressed" | "dead" | "closed" | "delivered" | "pending")[];
                    /** @default false */
                    dryRun?: boolean;
                    ratePerSecond?: number;
                };
            };
        };
        responses: {
            /** @description What it would take (`dryRun`). */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayPreview"];
                };
            };
            /** @description Begun. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["EndpointRevokedOrEndpointDisabled"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Resumed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResumedEndpoint"];
                };
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["EndpointRevokedOrEndpointDisabled"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateEndpointSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1024 KiB. */
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @example 2025-01-31T12:00:00Z
                     */
                    activateAt?: string;
                };
            };
        };
        responses: {
            /** @description Issued. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedEndpoint"];
                };
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["EndpointRevokedOrNoGeneratedCredentials"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    verifyEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sent; `ok` where it was acknowledged. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                        attempt: components["schemas"]["TestAttempt"];
                    };
                };
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["EndpointRevokedOrNoTestEvent"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                application?: string[];
                type?: string[];
                id?: string[];
                /** @description Not before this time. */
                since?: string;
                /** @description Before this time. */
                until?: string;
                /** @description Items on a page at most; 50 without it. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        readonly items: components["schemas"]["Event"][];
                        /** @description `cursor` of the next page, which may follow a page that is not full; null at the end. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    publishEvent: {
        parameters: {
            query?: {
                /** @description Only says what would happen. */
                dryRun?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1024 KiB. */
        requestBody: {
            content: {
                "application/json": {
                    application: string;
                    type: string;
                    id?: string;
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC; the time of acceptance without it.
                     */
                    occurredAt?: string;
                    /** @description What happened, as the contract describes it; at most 256 KiB, passed on as written. */
                    data: unknown;
                };
            };
        };
        responses: {
            /** @description What it would bring about (`dryRun`). */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishTrial"];
                };
            };
            /** @description Accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedEvent"];
                };
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrApplicationNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["EventIdReused"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedOrUnknownApplication"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    publishBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 5120 KiB. */
        requestBody: {
            content: {
                "application/json": {
                    events: {
                        application: string;
                        type: string;
                        id?: string;
                        /**
                         * Format: date-time
                         * @description When it happened, in UTC; the time of acceptance without it.
                         */
                        occurredAt?: string;
                        /** @description What happened, as the contract describes it; at most 256 KiB, passed on as written. */
                        data: unknown;
                    }[];
                };
            };
        };
        responses: {
            /** @description Each was judged by itself. */
            207: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedBatch"];
                };
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRejections: {
        parameters: {
            query?: {
                application?: string[];
                type?: string[];
                event?: string[];
                code?: ("NOT_JSON" | "MALFORMED_REQUEST" | "UNAUTHENTICATED" | "FORBIDDEN" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "CONFLICT" | "EVENT_ID_REUSED" | "ATTEMPT_IN_FLIGHT" | "ENDPOINT_REVOKED" | "ENDPOINT_DISABLED" | "ENDPOINT_PAUSED" | "DELIVERY_NOT_PENDING" | "BODY_NOT_KEPT" | "BODY_ERASED" | "NO_TEST_EVENT" | "NO_WEBHOOK" | "NO_GENERATED_CREDENTIALS" | "APPLICATION_EXISTS" | "APPLICATION_DELETED" | "ENDPOINT_EXISTS" | "TOO_MANY_ENDPOINTS" | "GONE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "VALIDATION_FAILED" | "UNKNOWN_APPLICATION" | "APPLICATION_NOT_ALLOWED" | "VERIFICATION_FAILED" | "TOO_MANY_REQUESTS" | "HEADERS_TOO_LARGE" | "INTERNAL" | "UNAVAILABLE")[];
                via?: ("http" | "kafka")[];
                /** @description Not before this time. */
                since?: string;
                /** @description Before this time. */
                until?: string;
                /** @description Items on a page at most; 50 without it. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        readonly items: components["schemas"]["Rejection"][];
                        /** @description `cursor` of the next page, which may follow a page that is not full; null at the end. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listReplays: {
        parameters: {
            query?: {
                /** @description Items on a page at most; 50 without it. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        readonly items: components["schemas"]["Replay"][];
                        /** @description `cursor` of the next page, which may follow a page that is not full; null at the end. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The replay. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Stopped. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
            400: components["responses"]["NotJsonOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readStats: {
        parameters: {
            query?: {
                application?: string[];
                /** @description Instead of the figures of all, those of single endpoints. */
                by?: "endpoint";
                /** @description With `by=endpoint`: the most failed attempts, the longest owed delivery, or the most attempts first. `failures` without it. */
                order?: "failures" | "lag" | "volume";
                /** @description With `by=endpoint`: how far attempts are looked back at. `1h` without it. */
                window?: "5m" | "1h" | "24h";
                /** @description With `by=endpoint`: endpoints at most, up to 200. 20 without it. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures of now; with `by=endpoint` those of endpoints. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stats"] | components["schemas"]["EndpointRanking"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
}
