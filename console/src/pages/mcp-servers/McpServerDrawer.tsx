import { useState } from 'react'
import { Copyable } from '../../parts/Copyable.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { FactsBox } from '../../parts/FactsBox.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { Status } from '../../parts/Status.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { describeMilliseconds } from '../cluster/node-words.ts'
import { EditMcpServer } from './EditMcpServer.tsx'
import { McpServerTools } from './McpServerTools.tsx'
import type { McpServer } from './mcp-server-calls.ts'
import { describeTransport, serverStates } from './mcp-server-words.ts'
import { ProbeServer } from './ProbeServer.tsx'
import { WatchServer } from './WatchServer.tsx'

interface McpServerDrawerProps {
  readonly server: McpServer | undefined
  readonly allowsPrograms: boolean
  readonly onChanged: () => Promise<void>
  readonly onClose: () => void
}

/** One server: how it is, which tools it has, how it is reached, and removing it. */
export default function McpServerDrawer(props: McpServerDrawerProps) {
  const { server: listed, allowsPrograms, onChanged, onClose } = props
  // Once removed it is no longer listed, and the drawer is about to close.
  const [openedWith] = useState(listed)
  const [covered, setCovered] = useState(false)
  const server = listed ?? openedWith
  return (
    <SideDrawer
      title={server?.name ?? 'MCP server'}
      onClose={onClose}
      returnTo={() => (server === undefined ? null : findRow(server.id))}
      covered={covered}
      holdsInput
    >
      {server === undefined ? (
        <p>There is no MCP server with this id.</p>
      ) : (
        <>
          <ServerFacts server={server} />
          <DrawerSection
            title="State"
            about={server.last_error ?? 'It is asked who it is and which tools it has. No tool is used.'}
            ways={<ProbeServer server={server} size="sm" />}
          />
          <McpServerTools server={server} />
          <EditMcpServer
            key={server.updated_at}
            server={server}
            allowsPrograms={allowsPrograms}
            onChanged={onChanged}
          />
          <WatchServer
            server={server}
            onCovered={setCovered}
            onChanged={onChanged}
            onRemoved={async () => {
              await onChanged()
              onClose()
            }}
          />
        </>
      )}
    </SideDrawer>
  )
}

function ServerFacts({ server }: { server: McpServer }) {
  const { state, response_time: ms, last_check: checked, last_seen: seen, server: about } = server
  return (
    <FactsBox
      facts={[
        { name: 'State', value: <Status {...serverStates[state]} /> },
        {
          name: server.transport.type === 'http' ? 'Address' : 'Program',
          value: <Copyable text={describeTransport(server)} what="how it is reached" />,
        },
        { name: 'Says it is', value: about === null ? 'not known yet' : `${about.name} ${about.version}` },
        { name: 'Protocol', value: about === null ? 'not known yet' : about.protocol_version },
        { name: 'Took', value: ms === null ? '–' : describeMilliseconds(Math.round(ms)) },
        { name: 'Checked', value: checked === null ? 'not yet' : <RelativeTime at={checked} /> },
        { name: 'Last answered', value: seen === null ? 'never' : <RelativeTime at={seen} /> },
      ]}
    />
  )
}
