import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifySerializerCompiler } from 'fastify'

/**
 * Answers are written by code that is made from their schemas. It is made for the first answer: of some hundred answers a process
 * can give it gives a few soon, and all together would be a good part of its start.
 */
export function createSerializerCompiler(): FastifySerializerCompiler<unknown> {
  const compile = SerializerSelector()()
  return ({ schema, method, url, httpStatus = '' }) => {
    let write: ((answer: unknown) => string) | undefined
    return (answer) => {
      write ??= compile({ schema, method, url, httpStatus })
      return write(answer)
    }
  }
}
