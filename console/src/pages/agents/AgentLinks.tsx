import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'

interface AgentLinksProps {
  /** The agent ids, in display order. */
  readonly agents: readonly string[]
  readonly labelOf: (id: string) => string
}

/** Agents by their labels, each a link to its page. */
export function AgentLinks({ agents, labelOf }: AgentLinksProps) {
  return (
    <span>
      {agents.map((agent, index) => (
        <Fragment key={agent}>
          {index === 0 ? '' : ', '}
          <Link to="/agents/$agent" params={{ agent }}>
            {labelOf(agent)}
          </Link>
        </Fragment>
      ))}
    </span>
  )
}
