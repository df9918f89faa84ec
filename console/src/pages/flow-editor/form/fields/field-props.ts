import type { JsonPath } from '../../document/json.ts'
import type { Role } from '../schema/roles.ts'
import type { Field, Shape } from '../schema/shape.ts'

/** The props of every form field. */
export interface FieldProps<Of extends Shape = Shape> {
  readonly field: Omit<Field, 'shape'> & { readonly shape: Of }
  readonly path: JsonPath
  /** The label; undefined for the field name. */
  readonly title?: string | undefined
  /** The role; undefined for that of the path. */
  readonly role?: Role | undefined
  /** Whether the surroundings already show the label. */
  readonly isBare?: boolean | undefined
}
