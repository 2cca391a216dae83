import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from './document.js';
import { Html, html, markdown } from './html.js';
import type { JsonSchema } from './json-schema.js';
import type { Topic } from './operation.js';

/** The document as one page that needs no script: a browser's own search finds everything on it. */
export function docsPage(document: OpenApiDocument): string {
  const { info, tags, components } = document;
  const topics = tags.map((topic) => ({ topic, calls: callsOf(document, topic) }));
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${info.title}: the HTTP interface</title>
        <link rel="stylesheet" href="/docs/style.css" />
      </head>
      <body>
        <nav>
          <a href="#top">${info.title}</a>
          <a href="/openapi.json">openapi.json</a>
          ${topics.map(
            ({ topic, calls }) =>
              html`<h2><a href="#${slug(topic.name)}">${topic.name}</a></h2>
                <ul>
                  ${calls.map(({ id, summary }) => html`<li><a href="#${id}">${summary}</a></li>`)}
                </ul>`,
          )}
          <h2><a href="#schemas">Schemas</a></h2>
          <ul>
            ${Object.keys(components.schemas).map((name) => html`<li><a href="#schema-${name}">${name}</a></li>`)}
          </ul>
        </nav>
        <main id="top">
          <h1>${info.title}</h1>
          ${markdown(info.description)}
          ${topics.map(
            ({ topic, calls }) =>
              html`<section id="${slug(topic.name)}">
                <h2>${topic.name}</h2>
                <p>${topic.description}</p>
                ${calls.map((call) => callOf(call, document))}
              </section>`,
          )}
          <section id="schemas">
            <h2>Schemas</h2>
            ${Object.entries(components.schemas).map(
              ([name, schema]) =>
                html`<article id="schema-${name}">
                  <h3>${name}</h3>
                  ${schemaOf(schema)} ${examplesOf(schema)}
                </article>`,
            )}
          </section>
        </main>
      </body>
    </html> `.text;
}

interface Call {
  readonly id: string;
  readonly summary: string;
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

function callsOf({ paths }: OpenApiDocument, topic: Topic): Call[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { tags }]) => tags.includes(topic.name))
      .map(([method, operation]) => ({
        id: operation.operationId,
        summary: operation.summary,
        method: method.toUpperCase(),
        path,
        operation,
      })),
  );
}

function callOf({ id, summary, method, path, operation }: Call, document: OpenApiDocument): Html {
  const { description, security, parameters = [], requestBody, responses } = operation;
  const roles = security.flatMap((requirement) => Object.values(requirement).flat());
  const [body] = Object.values(requestBody?.content ?? {});
  return html`<article id="${id}">
    <h3>${summary}</h3>
    <p class="call"><b class="${method.toLowerCase()}">${method}</b> <code>${path}</code></p>
    <p class="roles">${roles.length === 0 ? 'Needs no key.' : `Roles: ${roles.join(', ')}.`}</p>
    ${description === undefined ? [] : markdown(description)}
    ${parameters.length === 0 ? [] : [html`<h4>Parameters</h4>`, parametersOf(parameters)]}
    ${
      requestBody && body
        ? html`<h4>Body${requestBody.required ? '' : ' (may be absent)'}</h4>
            <p>${requestBody.description}</p>
            ${schemaOf(body.schema)}
            ${Object.entries(body.examples ?? {}).map(([name, { value }]) => exampleOf(name, value))}`
        : []
    }
    <h4>Answers</h4>
    <dl>${Object.entries(responses).map(([status, response]) => answerOf(status, response, document))}</dl>
  </article>`;
}

function parametersOf(parameters: readonly OpenApiParameter[]): Html {
  return html`<ul class="fields">
    ${parameters.map(
      ({ name, in: place, required, description, schema }) =>
        html`<li>
          <code>${name}</code> <i>${place}${required ? ', required' : ''}, ${typeOf(schema)}</i>
          ${description === undefined ? '' : inlineOf(description)}
        </li>`,
    )}
  </ul>`;
}

function answerOf(status: string, response: JsonSchema, { components }: OpenApiDocument): Html {
  const reference = response['$ref'];
  const { description, content } = (
    typeof reference === 'string' ? components.responses[reference.split('/').at(-1)!]! : response
  ) as { description: string; content?: Record<string, { schema: JsonSchema }> };
  const [media] = Object.values(content ?? {});
  const ownSchema = media && typeof reference !== 'string' ? schemaOf(media.schema) : '';
  return html`<dt>${status}</dt>
    <dd>${markdown(description)} ${ownSchema}</dd>`;
}

function schemaOf(schema: JsonSchema): Html {
  const properties = propertiesOf(schema);
  const [alternatives] = [schema['anyOf'] ?? schema['oneOf']] as [JsonSchema[] | undefined];
  const items = schema['items'] as JsonSchema | undefined;
  if (properties.length > 0) {
    const required = (schema['required'] ?? []) as string[];
    return html`<ul class="fields">
      ${properties.map(([name, property]) => fieldOf(name, property, required.includes(name)))}
    </ul>`;
  }
  if (items && propertiesOf(items).length > 0) return schemaOf(items);
  const nested = (alternatives ?? []).filter((alternative) => propertiesOf(alternative).length > 0);
  if (nested.length > 0) return html`${nested.map(schemaOf)}`;
  return html`<p>${typeOf(schema)}</p>`;
}

function fieldOf(name: string, schema: JsonSchema, required: boolean): Html {
  const { description } = schema;
  const nested = hasFields(schema) ? schemaOf(schema) : '';
  return html`<li>
    <code>${name}</code> <i>${required ? '' : 'may be absent, '}${typeOf(schema)}</i>
    ${typeof description === 'string' ? inlineOf(description) : ''} ${nested}
  </li>`;
}

function inlineOf(description: string): Html {
  const [paragraph] = markdown(description);
  return new Html(paragraph!.text.slice('<p>'.length, -'</p>'.length));
}

function hasFields(schema: JsonSchema): boolean {
  const parts = [schema, schema['items'], ...((schema['anyOf'] ?? []) as JsonSchema[])];
  return parts.some((part) => part !== undefined && propertiesOf(part as JsonSchema).length > 0);
}

function propertiesOf(schema: JsonSchema): [string, JsonSchema][] {
  return Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
}

/** A type in words, with a link where it is a schema of its own. */
function typeOf(schema: JsonSchema): Html {
  const { $ref, enum: values, const: value, anyOf, oneOf, items, type, format } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1)!;
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (Array.isArray(values)) return html`${values.map((one) => JSON.stringify(one)).join(' | ')}`;
  if (value !== undefined) return html`${JSON.stringify(value)}`;
  const alternatives = (anyOf ?? oneOf) as JsonSchema[] | undefined;
  if (alternatives) {
    return html`${alternatives.map((one, at) => html`${at > 0 ? ' or ' : ''}${typeOf(one)}`)}`;
  }
  if (type === 'array') return html`list of ${typeOf((items ?? {}) as JsonSchema)}`;
  const limits = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern']
    .filter((name) => schema[name] !== undefined)
    .map((name) => `${name} ${String(schema[name])}`);
  const name = [type ?? 'anything'].flat().join(' or ');
  return html`${[format === undefined ? name : `${name} (${String(format)})`, ...limits].join(', ')}`;
}

function examplesOf(schema: JsonSchema): Html[] {
  return ((schema['examples'] ?? []) as unknown[]).map((example) => exampleOf('Example', example));
}

function exampleOf(name: string, value: unknown): Html {
  return html`<details>
    <summary>${name}</summary>
    <pre>${JSON.stringify(value, null, 2)}</pre>
  </details>`;
}

function slug(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}
