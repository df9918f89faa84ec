import { PasswordInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { bodyOf, done } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { Copyable } from '../../parts/Copyable.tsx'
import { DangerButton } from '../../parts/DangerButton.tsx'
import { DetailBox } from '../../parts/DetailBox.tsx'
import type { Detail } from '../../parts/DetailList.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { Status } from '../../parts/Status.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { describeMilliseconds } from '../cluster/node-words.ts'
import { routesQuery } from '../model-routes/route-queries.ts'
import { type CatalogueModel, nameOf } from '../playground/catalogue.ts'
import { modelsQuery } from '../playground/models-query.ts'
import { AccountName } from '../usage/AccountName.tsx'
import { ProbeButton } from './ProbeButton.tsx'
import styles from './ProviderDrawer.module.css'
import type { Provider } from './provider-queries.ts'
import {
  aboutProvider,
  describeKey,
  describeProvider,
  keyVariableOf,
  providerStates,
  takesKey,
} from './provider-words.ts'
import { StoredProvider } from './StoredProvider.tsx'
import { useShowProvider } from './use-probe.ts'

interface ProviderDrawerProps {
  /** The provider name in the URL. */
  readonly name: string
  readonly provider: Provider | undefined
  readonly onClose: () => void
}

/** One provider: health, configuration and models. */
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
            about={aboutProvider(provider)}
            ways={
              <>
                <ProbeButton provider={provider} size="sm" />
                {provider.name === 'ollama' ? <Link to="/cluster">Open cluster</Link> : null}
              </>
            }
          >
            <DetailBox details={detailsOf(provider)} />
          </DrawerSection>
          {takesKey(provider) ? <ProviderKey provider={provider} onCovered={setCovered} /> : null}
          <ProviderModels provider={provider} />
          {provider.source === 'stored' ? (
            <StoredProvider provider={provider} onCovered={setCovered} onRemoved={onClose} />
          ) : null}
        </>
      )}
    </SideDrawer>
  )
}

function detailsOf(provider: Provider): Detail[] {
  const { state, problem, base_url, header_names, response_ms, checked_at, key } = provider
  return [
    { name: 'State', value: <Status {...providerStates[state]} /> },
    ...(problem === null ? [] : [{ name: 'Problem', value: problem }]),
    ...(base_url === null ? [] : [{ name: 'Address', value: <Copyable text={base_url} what="address" /> }]),
    { name: 'Key', value: describeKey(provider) },
    ...(header_names.length === 0 ? [] : [{ name: 'Headers', value: header_names.join(', ') }]),
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
  const api = useApi()
  const { data: all = [] } = useQuery(modelsQuery(api))
  const { data: routes } = useQuery(routesQuery(api))
  const models = all.filter((model) => model.provider === provider.name)
  return (
    <DrawerSection title={`Models (${models.length.toLocaleString()})`}>
      {models.length === 0 ? (
        <p className={styles['none']}>No models reported yet.</p>
      ) : (
        <ul className={styles['models']}>
          {models.map((model) => (
            <ModelLine key={model.id} model={model} name={nameOf(model, all, routes)} />
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

interface ProviderKeyProps {
  readonly provider: Provider
  /** Called when a confirmation dialog opens in front of the drawer, and when it closes. */
  readonly onCovered: (covered: boolean) => void
}

/** The API key of a provider: set, replaced and removed, and never shown. */
function ProviderKey({ provider, onCovered }: ProviderKeyProps) {
  const { name, key } = provider
  if (key.source === 'environment') {
    return (
      <DrawerSection
        title="Key"
        about={
          <>
            The key comes from <code>{keyVariableOf(name)}</code> in the environment, which overrides a stored
            key. To store a key here, unset the variable and restart.
          </>
        }
      />
    )
  }
  return (
    <DrawerSection
      title="Key"
      about="Stored encrypted, applied immediately, never shown again."
      ways={key.source === 'stored' ? <RemoveKey provider={provider} onCovered={onCovered} /> : undefined}
    >
      <StoreKey provider={provider} />
    </DrawerSection>
  )
}

function StoreKey({ provider: { name, key } }: { provider: Provider }) {
  const show = useShowProvider()
  const [typed, setTyped] = useState('')
  const isNew = key.source === null
  const submission = useSubmission({
    fields: ['api_key'],
    send: ({ client }) =>
      bodyOf(
        client.PUT('/api/v1/providers/{name}/key', {
          params: { path: { name } },
          body: { api_key: typed.trim() },
        }),
      ),
    async onDone(answer) {
      setTyped('')
      show(answer)
      await notify({
        title: `The key of ${describeProvider(name)} is stored`,
        message: `${providerStates[answer.state].word}${answer.problem === null ? '.' : `: ${answer.problem}`}`,
      })
    },
  })
  return (
    <Form
      submission={submission}
      submitLabel={isNew ? 'Store key' : 'Replace key'}
      failureSentence={isNew ? 'The key was not stored.' : 'The key was not changed.'}
    >
      <PasswordInput
        label={isNew ? 'API key' : 'New API key'}
        description={`API key from ${describeProvider(name)}.`}
        autoComplete="off"
        data-1p-ignore
        value={typed}
        onChange={(change) => setTyped(change.currentTarget.value)}
        error={submission.problemOf('api_key')}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the key', tabIndex: 0 }}
      />
    </Form>
  )
}

function RemoveKey({ provider: { name }, onCovered }: ProviderKeyProps) {
  const cache = useQueryClient()
  const [asking, setAsking] = useState(false)
  const ask = (wanted: boolean) => {
    setAsking(wanted)
    onCovered(wanted)
  }
  return (
    <>
      <DangerButton kind="ask" onClick={() => ask(true)}>
        Remove key…
      </DangerButton>
      {asking ? (
        <ConfirmDialog
          title={`Remove the key of ${describeProvider(name)}?`}
          confirmLabel="Remove key"
          failureSentence="The key was not removed."
          send={({ client }) =>
            done(client.DELETE('/api/v1/providers/{name}/key', { params: { path: { name } } }))
          }
          onDone={async () => {
            await Promise.all(
              [['providers'], ['models']].map((queryKey) => cache.invalidateQueries({ queryKey })),
            )
          }}
          onClose={() => ask(false)}
        >
          <p>
            Models of {describeProvider(name)} are no longer available on any replica. Running calls finish.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}
