const widths = ['62%', '84%', '47%', '73%', '58%', '90%'];

/** Stands where something will be, in about its size; comes only when that takes longer than a blink. */
export function Skeleton({ lines = 5, what }: { readonly lines?: number; readonly what: string }) {
  return (
    <div className="skeleton shown-late" role="status" aria-label={`Loading ${what}`}>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} style={{ width: widths[index % widths.length] }} />
      ))}
    </div>
  );
}
