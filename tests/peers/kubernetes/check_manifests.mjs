// check.mjs FILE...: are these manifests what the Kubernetes API takes? Each
// document is compiled as a value of its kind's type, generated from the API's
// schema: unknown members, wrong types and missing ones are errors.
import {readFileSync} from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import {parseAllDocuments} from 'yaml';

const home = import.meta.dirname;
const options = {noEmit: true, strict: true, skipLibCheck: true, types: [],
    target: ts.ScriptTarget.ES2022, moduleResolution: ts.ModuleResolutionKind.Bundler,
    module: ts.ModuleKind.ESNext};

function program(file, source) {
    const host = ts.createCompilerHost(options);
    const read = host.getSourceFile;
    host.getSourceFile = (name, ...rest) => name === file
        ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2022)
        : read(name, ...rest);
    const exists = host.fileExists;
    host.fileExists = (name) => name === file || exists(name);
    return ts.createProgram([file], options, host);
}

function check(name, manifest) {
    const version = manifest.apiVersion.includes('/') ? manifest.apiVersion : `core/${manifest.apiVersion}`;
    const file = path.join(home, 'manifest.ts');
    const source = `import type {${manifest.kind}} from 'kubernetes-types/${version}';\n` +
        `export const manifest: ${manifest.kind} = ${JSON.stringify(manifest, null, 1)};\n`;
    const problems = ts.getPreEmitDiagnostics(program(file, source));
    for (const problem of problems)
        console.error(`${name}: ${manifest.kind}: ${ts.flattenDiagnosticMessageText(problem.messageText, ' ')}`);
    return problems.length;
}

let problems = 0;
let documents = 0;
for (const name of process.argv.slice(2)) {
    for (const document of parseAllDocuments(readFileSync(name, 'utf8'))) {
        for (const error of document.errors)
            console.error(`${name}: ${error.message}`);
        problems += document.errors.length || check(name, document.toJS());
        documents++;
    }
}
console.log(`${documents} manifests, ${problems} problems`);
process.exit(problems || !documents ? 1 : 0);
