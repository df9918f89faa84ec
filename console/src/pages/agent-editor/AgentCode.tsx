import { json } from '@codemirror/lang-json'
import { lineNumbers } from '@codemirror/view'
import { useId, useState } from 'react'
import { CodeMirror } from '../../editing/CodeMirror.tsx'
import { Surface } from '../../parts/Section.tsx'
import { isObject, isSameJson, type Json } from '../flow-editor/document/json.ts'
import styles from './AgentEditor.module.css'
import type { AgentDraft } from './agent-draft.ts'

const extensions = [json(), lineNumbers()]

interface AgentCodeProps {
  readonly draft: AgentDraft
  readonly onChange: (draft: AgentDraft) => void
  /** Told whether the text can be read, so that a text that cannot is not lost by saving. */
  readonly onReadable: (isReadable: boolean) => void
}

/** The whole definition as JSON. Text that cannot be read is kept, and the draft stays as it was. */
export default function AgentCode({ draft, onChange, onReadable }: AgentCodeProps) {
  const [typed, setTyped] = useState<string>()
  const id = useId()
  const read = typed === undefined ? draft : readText(typed)
  const isShown = typed !== undefined && (read === undefined || isSameJson(read, draft))
  return (
    <Surface>
      <div className={styles['code']}>
        <CodeMirror
          label="Definition as JSON"
          value={isShown ? typed : JSON.stringify(draft, null, 2)}
          extensions={extensions}
          describedBy={id}
          isInvalid={isShown && read === undefined}
          onChange={(text) => {
            setTyped(text)
            const definition = readText(text)
            onReadable(definition !== undefined)
            if (definition !== undefined) onChange(definition)
          }}
        />
      </div>
      <p
        id={id}
        className={isShown && read === undefined ? styles['problem'] : styles['words']}
        role="status"
      >
        {isShown && read === undefined
          ? 'This is not a JSON object yet. The agent keeps its last valid definition.'
          : 'Every field of the definition, also those that the form does not show.'}
      </p>
    </Surface>
  )
}

function readText(text: string): AgentDraft | undefined {
  try {
    const value = JSON.parse(text) as Json
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
