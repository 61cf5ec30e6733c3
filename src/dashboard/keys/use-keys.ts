import { useEffect, useRef } from 'react';
import { type KeyBinding, keyMap } from './key-map.js';

/** While the caller is shown, these keys do these things; `?` lists them under the title. Which keys there are may not change. */
export function useKeys(title: string, bindings: readonly KeyBinding[]): void {
  const asked = useRef(bindings);
  useEffect(() => {
    asked.current = bindings;
  });
  useEffect(() => {
    const standing = asked.current.map((binding, index) =>
      binding.run === undefined ? binding : { ...binding, run: () => asked.current[index]?.run?.() },
    );
    return keyMap.add({ title, bindings: standing });
  }, [title]);
}
