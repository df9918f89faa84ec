import { Link } from '@tanstack/react-router'
import { Copyable } from '../../parts/Copyable.tsx'
import { CopyButton } from '../../parts/CopyButton.tsx'
import { Section } from '../../parts/Section.tsx'
import styles from './ConnectClient.module.css'
import { type ConnectExample, writeConnectExamples } from './connect-examples.ts'

/** How an assistant uses this platform: it is an MCP server itself. */
export function ConnectClient() {
  const { origin } = window.location
  return (
    <Section title="Connect an assistant to this platform">
      <div className={styles['content']}>
        <p>
          This platform is an MCP server itself. Assistants can list flows, run them, follow and cancel
          executions, and list models, with the permissions, limits and budgets of the key they use.{' '}
          <Link to="/api-keys">Make a key</Link> for each of them.
        </p>
        <Copyable text={`${origin}/mcp`} what="address" />
        <div className={styles['examples']}>
          {writeConnectExamples(origin).map((example) => (
            <Example key={example.id} example={example} />
          ))}
        </div>
      </div>
    </Section>
  )
}

function Example({ example: { title, about, text } }: { example: ConnectExample }) {
  return (
    <div className={styles['example']}>
      <h3>{title}</h3>
      <p className={styles['about']}>{about}</p>
      <div className={styles['frame']}>
        <div className={styles['copy']}>
          <CopyButton text={text} what={`configuration: ${title}`} />
        </div>
        {/* Long lines scroll, and what scrolls must be reachable by keyboard. */}
        <pre className={styles['code']} tabIndex={0} role="region" aria-label={`Configuration: ${title}`}>
          {text}
        </pre>
      </div>
    </div>
  )
}
