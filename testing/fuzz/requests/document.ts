/** The subset of JSON Schema that the contract's OpenAPI document uses. */
export interface Schema {
  type?: 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'object' | 'array';
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
}

export interface Parameter {
  in: 'path' | 'query';
  name: string;
  required?: boolean;
  schema: Schema;
}

/** One call, as described by the served document. */
export interface Operation {
  /** `GET /api/getuser/{id}` */
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  parameters: Parameter[];
  /** The schema of its JSON body, if it has one. */
  body: Schema | undefined;
  takesFile: boolean;
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

interface Told {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Operation['responses'];
}

/** Every call of an OpenAPI document. */
export function operationsOf(document: { paths: Record<string, Record<string, Told>> }): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([verb, { parameters = [], requestBody, responses }]) => {
      const method = verb.toUpperCase() as Operation['method'];
      return {
        name: `${method} ${path}`,
        method,
        path,
        parameters,
        body: requestBody?.content['application/json']?.schema,
        takesFile: requestBody?.content['multipart/form-data'] !== undefined,
        responses,
      };
    }),
  );
}
