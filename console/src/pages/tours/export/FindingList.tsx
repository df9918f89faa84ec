import { Status, type Tone } from '../../../parts/Status.tsx'
import type { Finding } from './export-calls.ts'
import styles from './FindingList.module.css'

const tones: Readonly<Record<Finding['severity'], { readonly tone: Tone; readonly word: string }>> = {
  error: { tone: 'bad', word: 'Error' },
  warning: { tone: 'warn', word: 'Warning' },
  note: { tone: 'idle', word: 'Note' },
}

/** The compatibility findings of a recipe, each with its position. */
export function FindingList({ findings, none }: { findings: readonly Finding[]; none: string }) {
  if (findings.length === 0) return <p className={styles['none']}>{none}</p>
  return (
    <ul className={styles['findings']} aria-label="Findings">
      {findings.map(({ severity, code, file, path, line, message }) => (
        <li key={`${code} ${file} ${path} ${message}`}>
          <Status {...tones[severity]} />
          <div className={styles['text']}>
            <p>{message}</p>
            <p className={styles['place']}>
              {file}
              {line === null ? '' : `, line ${line}`}
              {path === '' ? '' : ` · ${path}`}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}
