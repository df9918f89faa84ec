import { Type } from 'typebox'

/** The flow an address is about. Whatever names none is answered as a flow that is not there. */
export const flowParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200, description: 'The id of the flow.' }),
})

/** Larger than any version will ever be, and as large as the column. */
const maxVersion = 2_147_483_647

export const revision = (description: string) =>
  Type.Integer({ minimum: 1, maximum: maxVersion, description })
