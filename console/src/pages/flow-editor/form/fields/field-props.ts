import type { JsonPath } from '../../document/json.ts'
import type { Field, Shape } from '../schema/shape.ts'

/** The props of every form field. */
export interface FieldProps<Of extends Shape = Shape> {
  readonly field: Omit<Field, 'shape'> & { readonly shape: Of }
  readonly path: JsonPath
  /** What it is called; undefined for its own name. */
  readonly title?: string | undefined
  /** Whether what stands beside it already says so. */
  readonly isBare?: boolean | undefined
}
