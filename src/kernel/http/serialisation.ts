import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifySerializerCompiler } from 'fastify'
import { oncePerSchema } from './once-per-schema.ts'

type Write = (answer: unknown) => string

const compile = SerializerSelector()()

// The route is named only in what the library says about a schema that cannot be compiled.
const writerOf = oncePerSchema((schema): Write => compile({ schema, method: '', url: '', httpStatus: '' }))

/**
 * Answers are written by code that is made from their schemas. It is made for the first answer: of some hundred answers a process
 * can give it gives a few soon, and all together would be a good part of its start.
 */
export const compileSerializer: FastifySerializerCompiler<object> =
  ({ schema }) =>
  (answer) =>
    writerOf(schema)(answer)
