/** A form that makes something. It is empty again once that is made. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Problem } from '../../api/problem.ts';
import { asProblem } from '../../api/read.ts';
import { Panel } from '../../parts/layout.tsx';
import { Failure } from '../../parts/reading.tsx';

/** Without blanks around them, by name of the field. */
export type FormValues = { readonly [name: string]: string };

interface MakeFormProps {
  readonly title: string;
  /** Text of the button. */
  readonly submit: string;
  readonly make: (values: FormValues) => Promise<void>;
  readonly children: ComponentChildren;
}

export function MakeForm({ title, submit, make, children }: MakeFormProps) {
  const [problem, setProblem] = useState<Problem>();
  const [isMaking, setMaking] = useState(false);
  const take = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const values = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));
    setMaking(true);
    setProblem(undefined);
    await make(values).then(
      () => form.reset(),
      (error: unknown) => setProblem(asProblem(error)),
    );
    setMaking(false);
  };
  return (
    <Panel title={title}>
      <form class="filters" aria-label={title} onSubmit={(event) => void take(event)}>
        {children}
        <p class="buttons">
          <button type="submit" class="main" disabled={isMaking}>
            {submit}
          </button>
        </p>
      </form>
      {problem && <Failure problem={problem} keyName="admin" />}
    </Panel>
  );
}
