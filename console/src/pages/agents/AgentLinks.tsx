import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'

interface AgentLinksProps {
  /** Ids, in their order. */
  readonly agents: readonly string[]
  readonly labelOf: (id: string) => string
}

/** Agents by what people call them, each a link to all about it. */
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
