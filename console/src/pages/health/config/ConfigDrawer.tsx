import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { bodyOf } from '../../../api/api.ts'
import { useApi } from '../../../api/api-context.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
import { DetailBox } from '../../../parts/DetailBox.tsx'
import { DrawerSection } from '../../../parts/DrawerSection.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Form } from '../../../parts/Form.tsx'
import { SideDrawer } from '../../../parts/SideDrawer.tsx'
import { Skeleton } from '../../../parts/Skeleton.tsx'
import { useSubmission } from '../../../parts/use-submission.ts'
import { notify } from '../../../shell/notify.ts'
import { describeProvider } from '../../providers/provider-words.ts'
import { type StatusConfig, statusConfigQuery, statusKey } from '../health-queries.ts'
import { describeService } from '../health-words.ts'
import styles from './ConfigDrawer.module.css'

/** The settings of the health checks. */
export default function ConfigDrawer({ onClose }: { onClose: () => void }) {
  const { data: config, failure, refetch } = useApiQuery(statusConfigQuery(useApi()))
  return (
    <SideDrawer title="Checks" onClose={onClose} holdsInput>
      {config === undefined ? (
        failure === null ? (
          <p aria-busy>
            <Skeleton width={240} />
          </p>
        ) : (
          <FailureNotice
            what="The configuration could not be loaded."
            error={failure}
            onRetry={() => void refetch()}
          />
        )
      ) : (
        <>
          <ConfigForm config={config} onClose={onClose} />
          <DrawerSection
            title="Providers"
            about="Read from the environment and the Providers page. Keys are never shown."
          >
            <DetailBox details={config.providers.map(factOf)} />
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

interface ConfigFormProps {
  readonly config: StatusConfig
  readonly onClose: () => void
}

/** The form of the health check settings. Only changed fields are sent. */
function ConfigForm({ config, onClose }: ConfigFormProps) {
  const api = useApi()
  const cache = useQueryClient()
  const [typed, setTyped] = useState<ConfigDraft>({})
  const draft = { ...draftOf(config), ...typed }
  const submission = useSubmission({
    fields: [...Object.keys(draft), 'weights'],
    send: ({ client }) => bodyOf(client.PUT('/admin/llm/config', { body: changeOf(draft, config) })),
    async onDone(changed) {
      onClose()
      cache.setQueryData(statusConfigQuery(api).queryKey, changed)
      await cache.invalidateQueries({ queryKey: statusKey })
      await notify({ title: 'The checks are saved', message: 'Applies from the next round.' })
    },
  })
  const { problemOf } = submission
  const field = (path: string) => ({
    value: draft[path] ?? '',
    onChange: (text: string) => setTyped((now) => ({ ...now, [path]: text })),
    error: problemOf(path),
  })
  const title = field('page_title')
  const services = Object.keys(config.weights)

  return (
    <Form
      submission={submission}
      submitLabel="Save"
      failureSentence="The checks were not changed."
      onCancel={onClose}
    >
      <DrawerSection
        title="Interval"
        about="One process checks all services; all processes share its results."
      >
        <div className={styles['pair']}>
          <NumberField isFirst label="Every" unit="s" {...field('interval_seconds')} />
          <NumberField label="Timeout" unit="s" {...field('timeout_seconds')} />
        </div>
      </DrawerSection>
      <DrawerSection
        title="Damping"
        about="How many checks in a row change the reported state, and when a flapping service is reported as degraded."
      >
        <div className={styles['pair']}>
          <NumberField label="Worse after" unit="checks" {...field('damping.worse')} />
          <NumberField label="Better after" unit="checks" {...field('damping.better')} />
          <NumberField label="Flapping from" unit="changes" {...field('damping.flapping_changes')} />
          <NumberField label="Within" unit="min" {...field('damping.flapping_minutes')} />
        </div>
      </DrawerSection>
      <DrawerSection
        title="Thresholds and weights"
        about="The response time that counts as slow, and the weight in the score."
      >
        {services.map((name) => (
          <div key={name} className={styles['pair']}>
            <NumberField
              label={`${describeService(name)}: slow from`}
              unit="ms"
              {...field(`slow_ms.${name}`)}
            />
            <NumberField
              label={`${describeService(name)}: weight`}
              unit="of 100"
              {...field(`weights.${name}`)}
            />
          </div>
        ))}
      </DrawerSection>
      <DrawerSection title="Disk" about="Usage thresholds.">
        <div className={styles['pair']}>
          <NumberField label="Degraded from" unit="%" {...field('disk.degraded_percent')} />
          <NumberField label="Offline from" unit="%" {...field('disk.offline_percent')} />
        </div>
      </DrawerSection>
      <DrawerSection title="Status page">
        <TextInput
          label="Title"
          autoComplete="off"
          value={title.value}
          onChange={(change) => title.onChange(change.currentTarget.value)}
          error={title.error}
        />
      </DrawerSection>
    </Form>
  )
}

interface NumberFieldProps {
  readonly label: string
  readonly unit: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly error: string | undefined
  /** The field receives the focus when the form opens. */
  readonly isFirst?: boolean
}

/** An integer field with its unit. */
function NumberField({ label, unit, value, onChange, error, isFirst }: NumberFieldProps) {
  return (
    <TextInput
      {...(isFirst === true ? { 'data-autofocus': true } : {})}
      label={label}
      inputMode="numeric"
      autoComplete="off"
      rightSection={unit}
      rightSectionWidth={64}
      value={value}
      onChange={(change) => onChange(change.currentTarget.value)}
      error={error}
    />
  )
}

type ConfigGroup = 'slow_ms' | 'weights' | 'damping' | 'disk'

/** The configuration as typed: texts by path, such as `damping.worse`. */
type ConfigDraft = Readonly<Record<string, string>>

const groups: readonly ConfigGroup[] = ['slow_ms', 'weights', 'damping', 'disk']
const numbers = ['interval_seconds', 'timeout_seconds'] as const

export function draftOf(config: StatusConfig): ConfigDraft {
  return {
    page_title: config.page_title,
    ...Object.fromEntries(numbers.map((name) => [name, String(config[name])])),
    ...Object.fromEntries(
      groups.flatMap((group) =>
        Object.entries(config[group]).map(([name, value]) => [`${group}.${name}`, String(value)]),
      ),
    ),
  }
}

/** The changed fields as a request body. An invalid number is sent as null, so that the server refuses the field by name. */
export function changeOf(draft: ConfigDraft, config: StatusConfig): Record<string, unknown> {
  const before = draftOf(config)
  const change: Record<string, unknown> = {}
  for (const [path, text] of Object.entries(draft)) {
    if (text.trim() === before[path]) continue
    const [first = '', second] = path.split('.')
    const value = path === 'page_title' ? text.trim() : readNumber(text)
    if (second === undefined) change[first] = value
    else change[first] = { ...(change[first] as object | undefined), [second]: value }
  }
  return change
}

function readNumber(text: string): number | null {
  const value = Number(text)
  return text.trim() === '' || Number.isNaN(value) ? null : value
}
