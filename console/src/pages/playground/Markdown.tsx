import styles from './Markdown.module.css'
import { type Block, readMarkdown, readSpans } from './read-markdown.ts'

/** An answer as its author meant it to look. Nothing in it is taken for HTML, and nothing in it is loaded. */
export function Markdown({ text, isComing }: { text: string; isComing: boolean }) {
  return (
    <div className={styles['text']} data-coming={isComing}>
      {readMarkdown(text).map((block) => (
        <BlockView key={block.line} block={block} />
      ))}
    </div>
  )
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case 'heading':
      return (
        <p className={styles['heading']} data-level={block.level}>
          <Line text={block.text} />
        </p>
      )
    case 'code':
      return (
        // Long lines scroll, and what scrolls must be reachable by keyboard.
        <pre className={styles['code']} tabIndex={0} role="region" aria-label="Code">
          {block.text}
        </pre>
      )
    case 'quote':
      return (
        <blockquote className={styles['quote']}>
          <Line text={block.text} />
        </blockquote>
      )
    case 'list':
      return (
        <ul className={styles['list']}>
          {block.items.map(({ line, marker, depth, text }) => (
            <li key={line} data-depth={depth}>
              <span className={styles['marker']}>{marker}</span>
              <span>
                <Line text={text} />
              </span>
            </li>
          ))}
        </ul>
      )
    default:
      return (
        <p>
          <Line text={block.text} />
        </p>
      )
  }
}

function Line({ text }: { text: string }) {
  return readSpans(text).map(({ at: key, kind, text: words }) => {
    if (kind === 'code') return <code key={key}>{words}</code>
    if (kind === 'text') return words
    const inner = <Line key={key} text={words} />
    return kind === 'strong' ? <strong key={key}>{inner}</strong> : <em key={key}>{inner}</em>
  })
}
