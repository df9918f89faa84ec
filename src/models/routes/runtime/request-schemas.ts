import { Type } from 'typebox'
import {
  chatFields,
  cleanEmbedFields as cleanEmbed,
  cleanTextFields as cleanText,
  embeddingsFields,
  embedFields,
  generateFields,
} from '#kernel/native-api'
import { modelNameSchema } from '../requests/model-name.ts'
import { cleanFields } from '../requests/unsupported-fields.ts'

/* The request bodies of the model runtime. Nodes get further fields as they are; for models of other providers these are refused by name. */

const model = modelNameSchema
const open = { additionalProperties: true }

export const generateRequestSchema = Type.Object({ model, ...generateFields }, open)
export const chatRequestSchema = Type.Object({ model, ...chatFields }, open)
export const embedRequestSchema = Type.Object({ model, ...embedFields }, open)
/** The older request for one embedding. */
export const embeddingsRequestSchema = Type.Object({ model, ...embeddingsFields }, open)

/** The preValidation hooks of calls. */
export const cleanTextFields = cleanFields({}, (fields) => ({ fields: cleanText(fields), problems: [] }))
export const cleanEmbedFields = cleanFields({}, (fields) => ({ fields: cleanEmbed(fields), problems: [] }))
