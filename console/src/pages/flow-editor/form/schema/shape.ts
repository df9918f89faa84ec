/** The kinds of form fields. */
export type Shape =
  | TextShape
  | NumberShape
  | ChoiceShape
  | FlagShape
  | ScalarShape
  | ListShape
  | GroupShape
  | RecordShape
  | GroupOrTextShape
  | JsonShape

interface TextShape {
  readonly kind: 'text'
  /** Most characters. */
  readonly most?: number | undefined
}

interface NumberShape {
  readonly kind: 'number'
  readonly isWhole: boolean
  readonly least?: number | undefined
  readonly most?: number | undefined
}

export interface ChoiceShape {
  readonly kind: 'choice'
  readonly choices: readonly string[]
}

interface FlagShape {
  readonly kind: 'flag'
}

/** One of several simple things, such as seconds or a text. */
interface ScalarShape {
  readonly kind: 'scalar'
  readonly of: readonly (TextShape | NumberShape | FlagShape)[]
}

export interface ListShape {
  readonly kind: 'list'
  readonly entry: Shape
  readonly most?: number | undefined
}

export interface GroupShape {
  readonly kind: 'group'
  readonly fields: readonly Field[]
}

/** Values by names the author of the flow chooses. */
export interface RecordShape {
  readonly kind: 'record'
  readonly entry: Shape
  readonly most?: number | undefined
}

/** A group of fields, or the same as text. */
export interface GroupOrTextShape {
  readonly kind: 'group or text'
  readonly group: GroupShape
  readonly text: TextShape
}

/** Any JSON value. */
interface JsonShape {
  readonly kind: 'json'
}

/** A named place in a form. */
export interface Field {
  readonly name: string
  readonly description: string
  readonly isRequired: boolean
  readonly shape: Shape
}
