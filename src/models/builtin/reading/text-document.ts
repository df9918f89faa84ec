/** The kind of a passage. Only paragraphs and items contain sentences; the others only words. */
export type PassageKind = 'heading' | 'paragraph' | 'item' | 'cell'

export interface Passage {
  readonly kind: PassageKind
  readonly text: string
}

export interface Heading {
  readonly level: number
  readonly text: string
}

export interface Link {
  readonly text: string
  readonly url: string
}

export interface Image {
  /** Null when it is missing; empty for a decorative image. */
  readonly alt: string | null
  readonly url: string
}

/** A parsed text: its passages without markup, and the structure of the markup. */
export interface TextDocument {
  readonly format: 'markdown' | 'html'
  /** Whether the text is a whole page and not a fragment. */
  readonly isPage: boolean
  readonly title: string | null
  readonly description: string | null
  readonly passages: readonly Passage[]
  readonly headings: readonly Heading[]
  readonly links: readonly Link[]
  readonly images: readonly Image[]
  readonly lists: number
  readonly tables: number
  readonly codeBlocks: number
  /** False when the rest of a text with too much markup was read as plain text. */
  readonly complete: boolean
}
