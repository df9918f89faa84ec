import { useApi } from '../../../api/api-context.ts'
import { useAnswer } from '../../../api/use-answer.ts'
import { DrawerSection } from '../../../parts/DrawerSection.tsx'
import { FactsBox } from '../../../parts/FactsBox.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { SideDrawer } from '../../../parts/SideDrawer.tsx'
import { Skeleton } from '../../../parts/Skeleton.tsx'
import { describeProvider } from '../../providers/provider-words.ts'
import { statusConfigQuery } from '../health-queries.ts'
import type { StatusConfig } from '../status-bodies.ts'
import { ConfigForm } from './ConfigForm.tsx'

/** How services are watched, and changing it. */
export default function ConfigDrawer({ onClose }: { onClose: () => void }) {
  const { data: config, failure, refetch } = useAnswer(statusConfigQuery(useApi()))
  return (
    <SideDrawer title="Checks" onClose={onClose} holdsInput>
      {config === undefined ? (
        failure === null ? (
          <p aria-busy>
            <Skeleton width={240} />
          </p>
        ) : (
          <FailureNotice
            what="The configuration could not be read."
            error={failure}
            onRetry={() => void refetch()}
          />
        )
      ) : (
        <>
          <ConfigForm config={config} onClose={onClose} />
          <DrawerSection
            title="Providers"
            about="As the environment and the Providers page have them. Keys are never shown."
          >
            <FactsBox facts={config.providers.map(factOf)} />
          </DrawerSection>
        </>
      )}
    </SideDrawer>
  )
}

function factOf({ name, url, key_source, key_hint }: StatusConfig['providers'][number]) {
  const key =
    key_source === null
      ? 'no key'
      : `${key_source === 'environment' ? 'key from the environment' : 'key stored here'}${key_hint === null ? '' : `, ends with ${key_hint}`}`
  return { name: describeProvider(name), value: [url, key].filter((part) => part !== null).join(', ') }
}
