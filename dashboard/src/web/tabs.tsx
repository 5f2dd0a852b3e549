import type { ComponentChildren } from 'preact';

export interface Tab {
  readonly name: string;
  readonly panel: ComponentChildren;
}

interface TabsProps {
  /** The name of the radio buttons. */
  readonly id: string;
  /** The id of the heading that names the group. */
  readonly heading: string;
  readonly tabs: readonly Tab[];
}

/**
 * Panels of which one is in view, at first the first one. The tabs are radio buttons, so they work without script. A panel
 * follows its tab, which the keyboard reaches before it.
 */
export function Tabs({ id, heading, tabs }: TabsProps) {
  return (
    <fieldset class="card tabs" aria-labelledby={heading}>
      {tabs.map(({ name, panel }, index) => (
        <>
          <label>
            <input type="radio" name={id} checked={index === 0} /> {name}
          </label>
          <div>{panel}</div>
        </>
      ))}
    </fieldset>
  );
}
