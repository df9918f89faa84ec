import { Button } from '@mantine/core'
import { useState } from 'react'
import styles from './FieldsView.module.css'
import JsonTree from './JsonTree.tsx'
import Markdown from './Markdown.tsx'
import { describeBytes, foldText, nameOfField } from './value-views.ts'

/** An object to read: each field with its name; texts are rendered, other values are short or a tree. */
export default function FieldsView({ value }: { value: object }) {
  return (
    <dl className={styles['fields']}>
      {Object.entries(value).map(([key, field]) => (
        <div key={key}>
          <dt title={key}>{nameOfField(key)}</dt>
          <dd>
            <FieldValue name={key} value={field} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function FieldValue({ name, value }: { name: string; value: unknown }) {
  if (typeof value === 'string') return value === '' ? '–' : <FieldText text={value} />
  if (typeof value === 'object' && value !== null) return <JsonTree value={value} what={name} />
  return value === null ? '–' : JSON.stringify(value)
}

function FieldText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false)
  const folded = foldText(text)
  return (
    <>
      <Markdown text={isWhole ? text : (folded ?? text)} isStreaming={false} onRendered={ignore} />
      {folded === undefined ? null : (
        <Button
          size="compact-sm"
          variant="default"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : `Show all (${describeBytes(text)})`}
        </Button>
      )}
    </>
  )
}

function ignore(): void {
  // Nothing scrolls with a text that is complete.
}
