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
  /** The maximum number of characters. */
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

/** One of several scalars, such as seconds or a text. */
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
  /** With variants: those of all of them. */
  readonly fields: readonly Field[]
  /** The fields besides `type`, by its value: a tool of an agent is an HTTP request, or tools of an MCP server. */
  readonly variants?: Readonly<Record<string, readonly Field[]>>
}

/** Values with names that the author of the flow chooses. */
export interface RecordShape {
  readonly kind: 'record'
  readonly entry: Shape
  readonly most?: number | undefined
}

/** A group of fields, or its text form. */
export interface GroupOrTextShape {
  readonly kind: 'group or text'
  readonly group: GroupShape
  readonly text: TextShape
}

interface JsonShape {
  readonly kind: 'json'
}

/** A named field of a form. */
export interface Field {
  readonly name: string
  readonly description: string
  readonly isRequired: boolean
  readonly shape: Shape
}
