export {
  type ChatMessage,
  type Content,
  type ContentPart,
  type FinishReason,
  type JsonSchema,
  type NativeCall,
  type ResponsePart,
  reasoningEfforts,
  type Thinking,
  type TokenUsage,
  type Tool,
  type ToolCall,
} from './call.ts'
export { answerLoadRequest, isLoadRequest } from './load-request.ts'
export { describeUnknownModel, listModel, nativeApiVersion } from './model-entries.ts'
export { hashPromptStart } from './prompt-start.ts'
export { readChat, readGenerate } from './read-request.ts'
export {
  type ChatBody,
  chatFields,
  cleanEmbedFields,
  cleanTextFields,
  type EmbedBody,
  type EmbeddingsBody,
  embeddingsFields,
  embedFields,
  type GenerateBody,
  generateFields,
  type InertFields,
  isFields,
  withoutEmptyFields,
} from './request-fields.ts'
export { runtimeFieldsOf } from './runtime-fields.ts'
export {
  createLineWriter,
  type NativeFormat,
  type Stopwatch,
  startStopwatch,
  writeFinal,
  writeVectors,
} from './write-response.ts'
