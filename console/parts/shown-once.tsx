/** A secret that the node has just made. It is in this element only, and gone when the reader is done with it. */
import { Panel } from './layout.tsx';
import { Copy } from './text.tsx';

interface ShownOnceProps {
  readonly title: string;
  /** What it is: `API key`. */
  readonly what: string;
  readonly secret: string;
  readonly onDone: () => void;
}

export const ShownOnce = ({ title, what, secret, onDone }: ShownOnceProps) => (
  <Panel title={title}>
    <p role="status">Keep this {what} now: the node cannot show it again.</p>
    <p class="code">
      <code class="plain-text">{secret}</code>
      <Copy text={secret} what={what} />
    </p>
    <p class="buttons">
      <button type="button" onClick={onDone}>
        I have kept it
      </button>
    </p>
  </Panel>
);
