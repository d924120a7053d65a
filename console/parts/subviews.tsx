/** Tabs of a view, each with its own address. */
export interface Subview {
  readonly title: string;
  readonly address: string;
  readonly current: boolean;
}

export const Subviews = ({ label, parts }: { label: string; parts: readonly Subview[] }) => (
  <nav class="subviews" aria-label={label}>
    <ul>
      {parts.map(({ title, address, current }) => (
        <li key={title}>
          <a href={address} aria-current={current ? 'page' : undefined}>
            {title}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
