import { Fragment } from 'react'

/** A sentence in which text between backticks is code. */
export function InlineCode({ text, className }: { text: string; className?: string | undefined }) {
  return [...text.matchAll(/`([^`]*)`|[^`]+/g)].map(({ 0: words, 1: code, index }) =>
    code === undefined ? (
      <Fragment key={index}>{words}</Fragment>
    ) : (
      <code key={index} className={className}>
        {code}
      </code>
    ),
  )
}
