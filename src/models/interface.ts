import { Type } from 'typebox'
import { type InterfaceDefinition, plainVoice } from '#kernel/http'
import { describeOpenAiError } from './routes/openai/errors.ts'
import { openAiWording, plainWording } from './routes/wording.ts'

/** The models there are and what they were used for. Its callers are those of the identity interface, so it speaks with the same words. */
export const modelsInterface: InterfaceDefinition = {
  ...plainVoice,
  name: 'models',
  title: 'Models',
  version: '1.0.0',
  description: 'Which models there are, who provides them, what they cost and how they are used.',
  prefixes: ['/api/v1/models', '/api/v1/providers', '/api/v1/prices', '/api/v1/usage'],
  wording: plainWording,
}

/** Models by the request and response bodies of the runtime; errors are those of every path under `/api/v1`. */
export const gatewayInterface: InterfaceDefinition = {
  ...plainVoice,
  name: 'gateway',
  title: 'Gateway',
  version: '1.0.0',
  description: 'Every model by one address, in the words of the model runtime.',
  prefixes: ['/api/v1/generate', '/api/v1/chat', '/api/v1/embed'],
  wording: plainWording,
}

/** The same models for clients of OpenAI. */
export const openAiInterface: InterfaceDefinition = {
  name: 'openai',
  title: 'OpenAI',
  version: '1.0.0',
  description: 'Every model by one address, for clients that speak as OpenAI does.',
  prefixes: ['/v1'],
  wording: openAiWording,
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
