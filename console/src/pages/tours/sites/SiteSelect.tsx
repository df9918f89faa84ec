import '../../../theme/mantine-form.css'
import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../api/api-context.ts'
import { sitesQuery } from './site-calls.ts'

interface SiteSelectProps
  extends Pick<NativeSelectProps, 'label' | 'description' | 'error' | 'size' | 'aria-label'> {
  /** The label of the choice of no site; without it a site must be chosen. */
  readonly none?: string
  readonly value: string
  readonly onChange: (site: string) => void
}

/** Chooses a site. Until the sites are loaded, it offers the chosen one. */
export function SiteSelect({ none, value, onChange, ...field }: SiteSelectProps) {
  const sites = useQuery(sitesQuery(useApi())).data ?? (value === '' ? [] : [{ id: value, label: value }])
  return (
    <NativeSelect
      {...field}
      value={value}
      onChange={(change) => onChange(change.currentTarget.value)}
      data={[
        ...(none === undefined ? [] : [{ value: '', label: none }]),
        ...sites.map(({ id, label }) => ({ value: id, label })),
      ]}
    />
  )
}
