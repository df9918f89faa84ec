import { Type } from 'typebox'
import { type ApiDefinition, plainErrorFormat } from '#kernel/http'
import { openAiErrorMessages, plainErrorMessages } from './routes/error-messages.ts'
import { describeMessagesFailure } from './routes/messages/write-message.ts'
import { describeOpenAiError } from './routes/openai/errors.ts'

/** The API for models, routes, providers, prices and usage. It shares the error format of the identity API. */
export const modelsApi: ApiDefinition = {
  ...plainErrorFormat,
  name: 'models',
  title: 'Models',
  version: '1.0.0',
  description: 'Models, routes, limits, providers, prices and usage.',
  prefixes: [
    '/api/v1/models',
    '/api/v1/model-routes',
    '/api/v1/model-limits',
    '/api/v1/providers',
    '/api/v1/prices',
    '/api/v1/usage',
  ],
  errorCodes: plainErrorMessages,
}

/** The gateway in the format of the model runtime (Ollama). It shares the error format of `/api/v1`. */
export const gatewayApi: ApiDefinition = {
  ...plainErrorFormat,
  name: 'gateway',
  title: 'Gateway',
  version: '1.0.0',
  description: 'One endpoint for every model, compatible with the Ollama API.',
  prefixes: ['/api/v1/generate', '/api/v1/chat', '/api/v1/embed'],
  errorCodes: plainErrorMessages,
}

/** The gateway for Ollama clients, with the error format of the model runtime. */
export const ollamaApi: ApiDefinition = {
  name: 'ollama',
  title: 'Ollama',
  version: '1.0.0',
  description: 'The API of the model runtime (Ollama) for every model.',
  prefixes: ['/ollama'],
  errorCodes: plainErrorMessages,
  errorBody: ({ message }) => ({ error: message }),
  errorSchema: Type.Object({ error: Type.String() }),
}

/** The gateway for OpenAI clients. */
export const openAiApi: ApiDefinition = {
  name: 'openai',
  title: 'OpenAI',
  version: '1.0.0',
  description: 'One endpoint for every model, compatible with the OpenAI API.',
  prefixes: ['/v1'],
  errorCodes: openAiErrorMessages,
  errorBody: (error) => ({ error: describeOpenAiError(error) }),
  errorSchema: Type.Object({
    error: Type.Object({
      message: Type.String(),
      type: Type.String(),
      param: Type.Unsafe<string | null>({ type: 'string', nullable: true }),
      code: Type.String(),
    }),
  }),
}

/** The gateway for Anthropic clients. */
export const messagesApi: ApiDefinition = {
  name: 'messages',
  title: 'Messages',
  version: '1.0.0',
  description: 'One endpoint for every model, compatible with the Anthropic API.',
  prefixes: ['/v1/messages'],
  errorCodes: plainErrorMessages,
  errorBody: describeMessagesFailure,
  errorSchema: Type.Object({
    type: Type.Enum(['error']),
    error: Type.Object({ type: Type.String(), message: Type.String() }),
  }),
}
