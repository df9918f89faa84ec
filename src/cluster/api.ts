import { Type } from 'typebox'
import { type ApiDefinition, plainErrorFormat } from '#kernel/http'
import { describeCompatibleError, describeMessagesError } from './data-path/error-formats.ts'

/** The API and error format of the cluster's own paths; the runtime's paths have the runtime's error format. */
export const clusterApi: ApiDefinition = {
  name: 'cluster',
  title: 'Cluster',
  version: '1.0.0',
  description: 'Manages the model nodes and routes requests to them.',
  prefixes: ['/', '/api/cluster'],
  errorCodes: plainErrorFormat.errorCodes,
  errorBody: ({ code, message, details, problems }) => ({
    error: { code, message, details: problems.length === 0 ? details : { ...details, problems } },
  }),
  errorSchema: Type.Object({
    error: Type.Object({
      code: Type.String(),
      message: Type.String(),
      details: Type.Object({}, { additionalProperties: true }),
    }),
  }),
}

/** The runtime's own paths. Requests forwarded to a node are handled before these routes; the merged lists are here. */
export const runtimeApi: ApiDefinition = {
  name: 'runtime',
  title: 'Model runtime',
  version: '1.0.0',
  description: 'The API of the model runtime, served by all nodes together.',
  prefixes: ['/api'],
  errorCodes: plainErrorFormat.errorCodes,
  errorBody: ({ message }) => ({ error: message }),
  errorSchema: Type.Object({ error: Type.String() }),
}

/** The OpenAI-compatible paths. */
export const compatibleApi: ApiDefinition = {
  name: 'compatible',
  title: 'Compatible',
  version: '1.0.0',
  description: 'The model runtime through the OpenAI-compatible API.',
  prefixes: ['/v1'],
  errorCodes: plainErrorFormat.errorCodes,
  errorBody: (error) => ({ error: describeCompatibleError(error) }),
  // `param` and `code` exist as well and are mostly null, which a shared schema cannot express.
  errorSchema: Type.Object({
    error: Type.Object({ message: Type.String(), type: Type.String() }, { additionalProperties: true }),
  }),
}

/** The Anthropic-compatible path and its error format. */
export const messagesApi: ApiDefinition = {
  name: 'messages',
  title: 'Messages',
  version: '1.0.0',
  description: 'The model runtime through the Anthropic-compatible API.',
  prefixes: ['/v1/messages'],
  errorCodes: plainErrorFormat.errorCodes,
  errorBody: describeMessagesError,
  errorSchema: Type.Object({
    type: Type.String(),
    error: Type.Object({ type: Type.String(), message: Type.String() }),
  }),
}
