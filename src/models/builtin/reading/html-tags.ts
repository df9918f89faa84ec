/** Receives the tags and texts of HTML. */
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
 * Reads HTML as a stream of tags without building a tree, which hostile markup could make arbitrarily deep or large. The
 * tokenizer follows the HTML standard and takes linear time.
 */
export async function loadHtmlTagReader(): Promise<HtmlTagReader> {
  const { Token, Tokenizer, TokenizerMode } = await import('parse5')

  /** Elements whose content is not markup, which a tree builder would tell the tokenizer. */
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
          // In other elements HTML ignores the slash.
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
