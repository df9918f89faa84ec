import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import { DetailBox } from '../../parts/DetailBox.tsx'
import type { Detail } from '../../parts/DetailList.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { Status } from '../../parts/Status.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { describeMilliseconds } from '../cluster/node-words.ts'
import { type CatalogueModel, nameOf } from '../playground/catalogue.ts'
import { modelsQuery } from '../playground/models-query.ts'
import { AccountName } from '../usage/AccountName.tsx'
import { ProbeButton } from './ProbeButton.tsx'
import styles from './ProviderDrawer.module.css'
import { ProviderKey } from './ProviderKey.tsx'
import type { Provider } from './provider-queries.ts'
import {
  aboutProviders,
  describeKey,
  describeProvider,
  keyVariables,
  providerStates,
} from './provider-words.ts'

interface ProviderDrawerProps {
  /** As the address has it. */
  readonly name: string
  readonly provider: Provider | undefined
  readonly onClose: () => void
}

/** How one provider is, how it is set up, and what it has. */
export default function ProviderDrawer({ name, provider, onClose }: ProviderDrawerProps) {
  const [covered, setCovered] = useState(false)
  return (
    <SideDrawer
      title={describeProvider(name)}
      onClose={onClose}
      returnTo={() => findRow(name)}
      covered={covered}
    >
      {provider === undefined ? (
        <p>No provider is named {name}.</p>
      ) : (
        <>
          <DrawerSection
            title="State"
            about={aboutProviders[provider.name]}
            ways={
              <>
                <ProbeButton provider={provider} size="sm" />
                {provider.name === 'ollama' ? <Link to="/cluster">Open cluster</Link> : null}
              </>
            }
          >
            <DetailBox details={detailsOf(provider)} />
          </DrawerSection>
          {keyVariables[provider.name] === undefined ? null : (
            <ProviderKey provider={provider} onCovered={setCovered} />
          )}
          <ProviderModels provider={provider} />
        </>
      )}
    </SideDrawer>
  )
}

function detailsOf(provider: Provider): Detail[] {
  const { state, problem, base_url, response_ms, checked_at, key } = provider
  return [
    { name: 'State', value: <Status {...providerStates[state]} /> },
    ...(problem === null ? [] : [{ name: 'Problem', value: problem }]),
    ...(base_url === null ? [] : [{ name: 'Address', value: <Copyable text={base_url} what="address" /> }]),
    { name: 'Key', value: describeKey(provider) },
    ...(key.updated_at === null
      ? []
      : [
          {
            name: 'Stored',
            value: (
              <span>
                <RelativeTime at={key.updated_at} />
                {key.updated_by === null ? null : (
                  <>
                    {' '}
                    by <AccountName id={key.updated_by} />
                  </>
                )}
              </span>
            ),
          },
        ]),
    {
      name: 'Response time',
      value: response_ms === null ? '–' : describeMilliseconds(Math.round(response_ms)),
    },
    { name: 'Checked', value: <RelativeTime at={checked_at} /> },
  ]
}

function ProviderModels({ provider }: { provider: Provider }) {
  const { data: all = [] } = useQuery(modelsQuery(useApi()))
  const models = all.filter((model) => model.provider === provider.name)
  return (
    <DrawerSection title={`Models (${models.length.toLocaleString()})`}>
      {models.length === 0 ? (
        <p className={styles['none']}>No models reported yet.</p>
      ) : (
        <ul className={styles['models']}>
          {models.map((model) => (
            <ModelLine key={model.id} model={model} name={nameOf(model, all)} />
          ))}
        </ul>
      )}
    </DrawerSection>
  )
}

function ModelLine({ model, name }: { model: CatalogueModel; name: string }) {
  const { id, state, capabilities } = model
  const isVectors = capabilities.length > 0 && !capabilities.includes('completion')
  return (
    <li>
      <code>{id}</code>
      {state === 'unavailable' ? <Status tone="warn" word="not available" /> : null}
      {isVectors ? (
        <span className={styles['about']}>embeddings</span>
      ) : (
        <Link to="/playground" search={{ model: name }} aria-label={`Try ${id} in the playground`}>
          Try
        </Link>
      )}
    </li>
  )
}
