import { JsonView } from '../../parts/JsonView.tsx'
import { Section } from '../../parts/Section.tsx'
import type { WholeAgent } from '../agents/agent-bodies.ts'
import styles from './Agent.module.css'

/** The form of what an agent makes, and the agent as it was saved. */
export function OutputTab({
  agent: { agent_definition: definition, output_format: format },
}: {
  agent: WholeAgent
}) {
  const { output_schema: schema } = definition
  return (
    <>
      <Section title="What it makes" note={format}>
        <div className={styles['inside']}>
          {schema === undefined ? (
            <p className={styles['words']}>A text, in the format above; it has no fields.</p>
          ) : (
            <JsonView value={schema} what="output schema" />
          )}
        </div>
      </Section>
      <Section title="How it is defined" note="prompt, what is measured before, what is checked after">
        <div className={styles['inside']}>
          <JsonView value={definition} what="definition" />
        </div>
      </Section>
    </>
  )
}
