/** ← and → go to the previous or next step, wherever the focus is, except in elements that use these keys themselves. */
import { useEffect, useRef } from 'preact/hooks';

const own = 'input, select, textarea, dialog, [role="slider"], [contenteditable]';

export function useStepKeys(step: (by: 1 | -1) => void): void {
  const now = useRef(step);
  now.current = step;
  useEffect(() => {
    const press = (key: KeyboardEvent) => {
      if (key.defaultPrevented || key.ctrlKey || key.metaKey || key.altKey || key.shiftKey) return;
      if (key.key !== 'ArrowLeft' && key.key !== 'ArrowRight') return;
      if (key.target instanceof Element && (key.target.closest(own) || scrolls(key.target))) return;
      key.preventDefault();
      now.current(key.key === 'ArrowLeft' ? -1 : 1);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

/** A table or a drawing wider than its container scrolls with these keys. */
const scrolls = (target: Element): boolean =>
  target.matches('section[tabindex], pre[tabindex]') && target.scrollWidth > target.clientWidth;
