/** Where a piece of text stands. Only prose is made of sentences; the others count as words. */
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
  /** Null when it has none. Empty when the author says that there is nothing to tell. */
  readonly alt: string | null
  readonly url: string
}

/** A text without its markup, and what the markup said. */
export interface TextDocument {
  readonly format: 'markdown' | 'html'
  /** A page with a head of its own, and not a piece of one. */
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
  /** False when the markup was too much, and the rest was taken as plain text. */
  readonly complete: boolean
}
