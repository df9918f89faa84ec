import { Type } from 'typebox'
import { type InterfaceDefinition, plainErrorFormat } from '#kernel/http'
import { openAiErrorMessages, plainErrorMessages } from './routes/error-messages.ts'
import { describeOpenAiError } from './routes/openai/errors.ts'

/** The models there are and what they were used for. Its callers are those of the identity interface, so it speaks with the same words. */
export const modelsInterface: InterfaceDefinition = {
  ...plainErrorFormat,
  name: 'models',
  title: 'Models',
  version: '1.0.0',
  description: 'Which models there are, who provides them, what they cost and how they are used.',
  prefixes: ['/api/v1/models', '/api/v1/providers', '/api/v1/prices', '/api/v1/usage'],
  errorMessages: plainErrorMessages,
}

/** Models by the request and response bodies of the runtime; errors are those of every path under `/api/v1`. */
export const gatewayInterface: InterfaceDefinition = {
  ...plainErrorFormat,
  name: 'gateway',
  title: 'Gateway',
  version: '1.0.0',
  description: 'Every model by one address, in the words of the model runtime.',
  prefixes: ['/api/v1/generate', '/api/v1/chat', '/api/v1/embed'],
  errorMessages: plainErrorMessages,
}

/** The same models for clients of OpenAI. */
export const openAiInterface: InterfaceDefinition = {
  name: 'openai',
  title: 'OpenAI',
  version: '1.0.0',
  description: 'Every model by one address, for clients that speak as OpenAI does.',
  prefixes: ['/v1'],
  errorMessages: openAiErrorMessages,
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
