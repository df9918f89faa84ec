import type { JsonPath } from '../../document/json.ts'
import type { Field, Shape } from '../schema/shape.ts'

/** The props of every form field. */
export interface FieldProps<Of extends Shape = Shape> {
  readonly field: Omit<Field, 'shape'> & { readonly shape: Of }
  readonly path: JsonPath
  /** The label; undefined for the field name. */
  readonly title?: string | undefined
  /** Whether the surroundings already show the label. */
  readonly isBare?: boolean | undefined
}
