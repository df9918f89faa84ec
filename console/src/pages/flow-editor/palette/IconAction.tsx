import type IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import type { ComponentPropsWithRef } from 'react'
import styles from './IconAction.module.css'

interface IconActionProps extends Omit<ComponentPropsWithRef<'button'>, 'type' | 'children'> {
  readonly 'aria-label': string
  readonly icon: typeof IconPlus
}

/** A button with an icon; without a component library, because long lists have thousands of them. */
export function IconAction({ icon: Icon, className, title, ...others }: IconActionProps) {
  return (
    <button
      {...others}
      type="button"
      className={`${styles['action']} ${className ?? ''}`}
      title={title ?? others['aria-label']}
    >
      <Icon size={16} stroke={1.75} aria-hidden />
    </button>
  )
}
