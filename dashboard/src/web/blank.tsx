import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './marks.tsx';

export interface BlankProps {
  readonly icon: IconName;
  /** Why there is nothing else, and what to do. */
  readonly children: ComponentChildren;
  /** The ways on. */
  readonly actions?: ComponentChildren;
}

/** Stands where a page has nothing to show. */
export function Blank({ icon, children, actions }: BlankProps) {
  return (
    <div class="card blank">
      <Icon name={icon} />
      {children}
      {actions && <p class="actions">{actions}</p>}
    </div>
  );
}
