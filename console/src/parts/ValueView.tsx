import { Button, SegmentedControl } from '@mantine/core'
import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { lazyPart } from '../shell/loading/lazy-part.tsx'
import { CopyButton } from './CopyButton.tsx'
import styles from './ValueView.module.css'
import { describeBytes, foldText, readValue, type ValueKind } from './value-views.ts'

const FieldsView = lazyPart(() => import('./FieldsView.tsx'))
const JsonTree = lazyPart(() => import('./JsonTree.tsx'))
const Markdown = lazyPart(() => import('./Markdown.tsx'))

const labels: Record<ValueKind, string> = {
  markdown: 'Markdown',
  text: 'Text',
  fields: 'Fields',
  tree: 'Tree',
  raw: 'JSON',
}

interface ValueViewProps {
  /** A heading at the left of the tools. */
  readonly title?: ReactNode
  /** The view to begin with, where the value has it. */
  readonly prefers?: ValueKind
  readonly value: unknown
  /** Names the value, as in "Copy result". */
  readonly what: string
  /** The name of the downloaded file, without its ending. */
  readonly fileName: string
}

/** One value: rendered, as text or as a tree, folded when it is long, to copy and to download. */
export function ValueView({ title, prefers, value, what, fileName }: ValueViewProps) {
  const { text, views, tree } = useMemo(() => readValue(value), [value])
  const [chosen, setChosen] = useState(prefers)
  const [isWhole, setWhole] = useState(false)
  const view = views.find((kind) => kind === chosen) ?? views[0]
  // A tree folds its own members, and fields fold their own texts.
  const folded = useMemo(
    () => (view === 'tree' || view === 'fields' ? undefined : foldText(text)),
    [text, view],
  )
  const shown = isWhole ? text : (folded ?? text)
  const formats = (
    <SegmentedControl
      size="xs"
      aria-label={`Format of the ${what}`}
      data={views.map((kind) => ({ value: kind, label: labels[kind] }))}
      value={view ?? 'text'}
      onChange={setChosen}
    />
  )
  return (
    <div className={styles['value']}>
      <div className={styles['tools']}>
        {title ?? formats}
        <span className={styles['end']}>
          {title === undefined ? null : formats}
          <CopyButton text={text} what={what} />
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => download(text, `${fileName}.${typeof value === 'string' ? 'md' : 'json'}`)}
          >
            Download
          </Button>
        </span>
      </div>
      <Suspense fallback={<div className={styles['placeholder']} aria-busy />}>
        {view === 'fields' ? <FieldsView value={tree as object} /> : null}
        {view === 'tree' ? <JsonTree value={tree} what={what} /> : null}
        {view === 'markdown' ? (
          <div className={styles['rendered']}>
            <Markdown text={shown} isStreaming={false} onRendered={ignore} />
          </div>
        ) : null}
      </Suspense>
      {view === 'text' || view === 'raw' ? (
        // Long lines scroll, and a scrollable region must be reachable by keyboard.
        <pre className={styles['text']} tabIndex={0} role="region" aria-label={`${what}, text`}>
          {shown}
        </pre>
      ) : null}
      {folded === undefined ? null : (
        <Button
          className={styles['fold'] ?? ''}
          size="compact-sm"
          variant="default"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : `Show all (${describeBytes(text)})`}
        </Button>
      )}
    </div>
  )
}

function ignore(): void {
  // Nothing scrolls with a text that is complete.
}

function download(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
