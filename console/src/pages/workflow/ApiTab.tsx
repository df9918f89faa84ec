import { SegmentedControl } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { CopyButton } from '../../parts/CopyButton.tsx'
import { Section } from '../../parts/Section.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import type { WholeFlow } from '../workflows/flow-queries.ts'
import { type ApiLanguage, writeExamples } from './api-examples.ts'
import styles from './WorkflowPage.module.css'

const languages = [
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
]

/** How a program runs the workflow: ready to copy, with a variable in place of the API key. */
export default function ApiTab({ flow }: { flow: WholeFlow }) {
  const [language, setLanguage] = useState<ApiLanguage>('curl')
  return (
    <div className={styles['examples']}>
      <div className={styles['bar']}>
        <SegmentedControl
          size="xs"
          aria-label="Language"
          data={languages}
          value={language}
          onChange={(wanted) => setLanguage(wanted === 'typescript' ? wanted : 'curl')}
        />
        <p className={styles['note']}>
          Set <code>TUTTI_API_KEY</code> to one of your <Link to="/api-keys">API keys</Link>. All routes are
          in the <a href={apiReferencePath}>API reference</a>.
        </p>
      </div>
      {writeExamples(language, flow, window.location.origin).map(({ title, code }) => (
        <Section key={title} title={title} aside={<CopyButton text={code} what={title.toLowerCase()} />}>
          {/* Long lines scroll, and a scrollable region must be reachable by keyboard. */}
          <pre className={styles['code']} tabIndex={0} role="region" aria-label={`${title}, code`}>
            {code}
          </pre>
        </Section>
      ))}
    </div>
  )
}
