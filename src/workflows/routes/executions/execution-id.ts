import { Type } from 'typebox'

/** The path of everything about one execution. */
export const executionId = Type.Object({
  execution_id: Type.String({
    maxLength: 200,
    description: 'As it was answered when the execution was started.',
  }),
})
