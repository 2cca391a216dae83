/** What holds for every call (CommonMark): the introduction of the document. */
export const API_RULES = `Webhooks for a product's customers: events in, signed deliveries out.

**Keys.** \`Authorization: Bearer KEY\`. A key has a role and may be limited to applications: what lies outside reads
as 404 and is refused for publishing with 403. Each call names the roles that may make it.

**Rate limits.** A key may have a limit of requests per second; its answers then say in \`RateLimit\` what is left, and
one beyond it is 429 with \`Retry-After\`. A request is a request, a batch too. Each process counts for itself.

**JSON** is UTF-8 and in camelCase, except inside an event's \`data\`, which uses the contract's own names and is passed
on as it was written, digit by digit. A key that stands twice in an object, deeper nesting than 64, and an unknown field
or parameter are refused: nothing is silently ignored. Elsewhere a text cannot hold U+0000 or a lone surrogate, and a
whole number lies within ±(2^53 − 1).

**Ids** of applications and events are the caller's: 1 to 64 letters, digits, \`.\`, \`_\`, \`:\` or \`-\`. All others are
decimal strings. An id that cannot exist is 404 in a path and 422 elsewhere.

**Times** are ISO-8601; answers are in UTC.

**Lists** take \`limit\` and \`cursor\` and answer \`{items, nextCursor}\`; a cursor belongs to its list and filters.
Filters take several values, separated by commas; \`since ≤ t < until\`.

**Refusals** are \`application/problem+json\` (RFC 9457). \`code\` is stable and what programs match on. A path that exists
under another method is 405 \`METHOD_NOT_ALLOWED\` with \`Allow\`, one that does not exist 404 \`NOT_FOUND\`.

**Changes.** Clients accept unknown fields of answers and new values of \`state\`, \`outcome\` and \`code\`. Any other break
gets another version in the path.
`;
