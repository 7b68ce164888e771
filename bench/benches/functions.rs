//! Single functions of the core, for work on one of them: `cargo bench -p puffin-codec-bench [FILTER]`.
//!
//! `compare` says how the crate stands beside others; this says whether a change to one function made it faster.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use puffin_codec::deletion_vector::DeletionVector;
use puffin_codec::roaring::{Bitmap64, Container, ContainerKind};
use puffin_codec_bench::data::{GENERATED, Set};

fn sets() -> Vec<Set> {
    GENERATED.iter().filter(|name| **name != "mixed").filter_map(|name| Set::generate(name)).collect()
}

fn parse(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parse");
    for set in sets() {
        let vector = &set.vectors[0];
        group.throughput(Throughput::Bytes(vector.blob().len() as u64));
        group.bench_function(format!("blob/{}", set.name), |b| {
            b.iter(|| DeletionVector::parse(black_box(vector.blob())))
        });
        // Without the CRC: order checks of arrays and runs, popcounts of bitsets.
        group.bench_function(format!("bitmap/{}", set.name), |b| {
            b.iter(|| Bitmap64::parse(black_box(vector.bitmap64())))
        });
        group.bench_function(format!("crc/{}", set.name), |b| b.iter(|| black_box(vector).crc_holds()));
        group.bench_function(format!("trusted/{}", set.name), |b| {
            b.iter(|| DeletionVector::parse_trusted(black_box(vector.blob())));
        });
    }
    group.finish();
}

/// The first full container of each kind, with 256 probes.
fn containers(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("container");
    group.throughput(Throughput::Elements(256));
    for (name, kind) in
        [("sparse", ContainerKind::Array), ("dense", ContainerKind::Bitset), ("ranges", ContainerKind::Run)]
    {
        let set = Set::generate(name).expect("the set exists");
        let bitmap = Bitmap64::parse(set.vectors[0].bitmap64()).expect("the set is valid");
        let (_, low) = bitmap.buckets().next().expect("there is a bucket");
        let (_, container) = low.containers().find(|(_, container)| container.kind() == kind).expect("there is one");
        let probes: Vec<u16> = (0..256_u16).map(|i| i.wrapping_mul(40_503)).collect();
        let (probes, container) = (&probes, &container);
        let each = |ask: fn(&Container<'_>, u16) -> u64| {
            let sum = move || -> u64 { probes.iter().map(|probe| ask(black_box(container), *probe)).sum() };
            move |b: &mut criterion::Bencher<'_>| b.iter(sum)
        };
        group.bench_function(format!("contains/{kind:?}"), each(|container, low| container.contains(low).into()));
        group.bench_function(format!("rank/{kind:?}"), each(|container, low| container.rank(low).into()));
        group.bench_function(
            format!("select/{kind:?}"),
            each(|container, low| container.select(u32::from(low) % container.cardinality()).map_or(0, u64::from)),
        );
    }
    group.finish();
}

fn whole(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("vector");
    for set in sets() {
        let vector = &set.vectors[0];
        let parsed = DeletionVector::parse(vector.blob()).expect("the set is valid");
        group.throughput(Throughput::Elements(vector.probes.len() as u64));
        group.bench_function(format!("contains/{}", set.name), |b| {
            b.iter(|| vector.probes.iter().filter(|probe| black_box(&parsed).contains(**probe)).count());
        });
        group.throughput(Throughput::Elements(64));
        group.bench_function(format!("rank/{}", set.name), |b| {
            b.iter(|| vector.probes.iter().take(64).map(|probe| black_box(&parsed).rank(*probe)).sum::<u64>());
        });
        group.bench_function(format!("select/{}", set.name), |b| {
            let count = parsed.cardinality();
            b.iter(|| (0..64).filter_map(|n| black_box(&parsed).select(n * (count / 64))).sum::<u64>());
        });
        group.throughput(Throughput::Elements(vector.cardinality));
        group.bench_function(format!("next/{}", set.name), |b| {
            b.iter(|| {
                let mut sum = 0_u64;
                for position in black_box(&parsed).iter() {
                    sum = sum.wrapping_add(position);
                }
                sum
            });
        });
    }
    group.finish();
}

criterion_group!(benches, parse, containers, whole);
criterion_main!(benches);
