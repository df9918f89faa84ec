import { type ElementProps, UnstyledButton, type UnstyledButtonProps } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../api/api-context.ts'
import { profileQuery } from '../api/queries.ts'
import { Skeleton } from '../parts/Skeleton.tsx'
import styles from './AccountButton.module.css'

/** The signed-in account and its menu. */
export function AccountButton(
  props: UnstyledButtonProps & ElementProps<'button', keyof UnstyledButtonProps>,
) {
  const { data: profile } = useQuery(profileQuery(useApi()))
  const name = profile?.display_name ?? profile?.username
  return (
    <UnstyledButton aria-haspopup="menu" data-tour="account" {...props} className={styles['account'] ?? ''}>
      {/* The initial is decoration: screen readers must not read it as part of the name. */}
      <span className={styles['initial']} data-initial={name?.slice(0, 1).toUpperCase()} aria-hidden />
      <span className={styles['label']}>Account: </span>
      <span className={styles['name']}>{name ?? <Skeleton width={56} />}</span>
      <IconChevronDown size={14} aria-hidden />
    </UnstyledButton>
  )
}
