/** Zoom buttons, and downloads of the drawing as it is shown. */
import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { save, saveBlob } from '../../parts/save.ts';
import { pngOf, svgText } from './chart-export.ts';
import type { Zoom } from './use-zoom.ts';

interface ChartToolsProps {
  readonly zoom: Zoom;
  readonly svg: RefObject<SVGSVGElement | null>;
  readonly name: string;
}

export function ChartTools({ zoom, svg, name }: ChartToolsProps) {
  const [says, setSays] = useState('');
  const file = name.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 80);
  const takeSvg = () => svg.current && save(`${file}.svg`, 'image/svg+xml', svgText(svg.current));
  const takePng = async () => {
    if (!svg.current) return;
    const image = await pngOf(svg.current);
    setSays(image ? '' : 'This browser cannot draw it as an image.');
    if (image) saveBlob(`${file}.png`, image);
  };
  return (
    <div class="chart-tools" role="toolbar" aria-label="Chart">
      <button type="button" class="small" onClick={() => zoom.by(-1)} disabled={zoom.atLeast} aria-label="Zoom out">
        −
      </button>
      <button type="button" class="small" onClick={zoom.fit} disabled={zoom.isFitted}>
        Fit
      </button>
      <button type="button" class="small" onClick={() => zoom.by(1)} disabled={zoom.atMost} aria-label="Zoom in">
        +
      </button>
      <span class="spacer" aria-hidden="true" />
      <button type="button" class="small" onClick={takeSvg} aria-label="Download the chart as SVG">
        SVG
      </button>
      <button type="button" class="small" onClick={() => void takePng()} aria-label="Download the chart as PNG">
        PNG
      </button>
      <span role="status" class="faint">
        {says}
      </span>
    </div>
  );
}
