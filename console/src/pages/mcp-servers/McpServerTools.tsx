import { DrawerSection } from '../../parts/DrawerSection.tsx'
import styles from './McpServerTools.module.css'
import type { McpServer } from './mcp-server-calls.ts'
import { describeTools } from './mcp-server-words.ts'

/** The tools a server last told of. */
export function McpServerTools({ server }: { server: McpServer }) {
  const { server: about, tools, tools_total: total } = server
  const missing = total - tools.length
  return (
    <DrawerSection
      title="Tools"
      about={
        about === null ? 'It has not told of any yet.' : `${describeTools(server)}, when it last answered.`
      }
    >
      {tools.length === 0 ? null : (
        <ul className={styles['tools']}>
          {tools.map(({ name, description }) => (
            <li key={name}>
              <code>{name}</code>
              {description === null ? null : <span className={styles['about']}>{description}</span>}
            </li>
          ))}
          {missing > 0 ? <li className={styles['about']}>and {missing.toLocaleString()} more</li> : null}
        </ul>
      )}
    </DrawerSection>
  )
}
