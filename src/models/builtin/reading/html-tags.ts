/** What a stream of HTML says, tag by tag. */
export interface HtmlListener {
  open(name: string, attribute: (name: string) => string | null): void
  close(name: string): void
  text(text: string): void
  doctype(): void
}

interface HtmlTags {
  write(chunk: string, isLast: boolean): void
}

export type HtmlTagReader = (listener: HtmlListener) => HtmlTags

/**
 * Reads HTML as a stream of tags, without a tree: a tree of hostile markup can be as deep as the text is long, or far larger
 * than it. The tokenizer is that of a browser, and takes time in proportion to the text.
 */
export async function loadHtmlTagReader(): Promise<HtmlTagReader> {
  const { Token, Tokenizer, TokenizerMode } = await import('parse5')

  /** Elements whose content is no markup. The tree builder, which we do without, would say so. */
  const modes = {
    title: TokenizerMode.RCDATA,
    textarea: TokenizerMode.RCDATA,
    style: TokenizerMode.RAWTEXT,
    xmp: TokenizerMode.RAWTEXT,
    iframe: TokenizerMode.RAWTEXT,
    noembed: TokenizerMode.RAWTEXT,
    noframes: TokenizerMode.RAWTEXT,
    script: TokenizerMode.SCRIPT_DATA,
    plaintext: TokenizerMode.PLAINTEXT,
  }
  const modeOf = new Map(Object.entries(modes))

  return (listener) => {
    const tokenizer = new Tokenizer(
      {},
      {
        onStartTag(token) {
          const { tagName, selfClosing } = token
          tokenizer.state = modeOf.get(tagName) ?? tokenizer.state
          listener.open(tagName, (name) => Token.getTokenAttr(token, name))
          // Elsewhere a slash at the end of a tag means nothing.
          if (selfClosing && (tagName === 'svg' || tagName === 'math')) listener.close(tagName)
        },
        onEndTag: ({ tagName }) => listener.close(tagName),
        onCharacter: ({ chars }) => listener.text(chars),
        onWhitespaceCharacter: ({ chars }) => listener.text(chars),
        onNullCharacter: () => listener.text(' '),
        onDoctype: () => listener.doctype(),
        onComment: () => {},
        onEof: () => {},
      },
    )
    return { write: (chunk, isLast) => tokenizer.write(chunk, isLast) }
  }
}
